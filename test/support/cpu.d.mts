export function childrenCpu(): number
export function usedCpu(): number
export function calibration(): number
