/** A part of one, as a person reads it. */
export const percent = (part: number): string => `${Math.round(100 * part)} %`
