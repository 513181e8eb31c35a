// The inputs of the constructors of injection queues (plain.ts and lines.ts).
import type { Table } from "../../../fabric/table.ts"
import type { TransferSite } from "../../../fabric/transfer.ts"
import type { InjectionRequest } from "../../../model/endpoint.ts"
import type { QueueSchemeParams } from "../params.ts"
import type { Scheme } from "../scheme.ts"

export interface InjectionSpec {
  readonly site: TransferSite
  readonly p: QueueSchemeParams
  readonly scheme: Scheme
  readonly table: Table | undefined
  readonly wish: InjectionRequest
}
