export function removeUnusedTypes(root: string): void
