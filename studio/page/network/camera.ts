export interface Camera {
  readonly scale: number
  readonly x: number
  readonly y: number
}
