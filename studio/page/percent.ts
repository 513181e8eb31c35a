/** Returns a fraction as a percentage. */
export const percent = (part: number): string => `${Math.round(100 * part)} %`
