export function modelCode(root: string): Promise<string>
export function buildName(root: string): Promise<string>
