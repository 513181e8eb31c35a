// What the injection queues of adapters are made from.
import type { Table } from "../../../fabric/table.ts"
import type { TransferSite } from "../../../fabric/transfer.ts"
import type { InjectionWish } from "../../../model/endpoint.ts"
import type { QueueSchemeParams } from "../params.ts"
import type { Scheme } from "../scheme.ts"

export interface InjectionSpec {
  readonly site: TransferSite
  readonly p: QueueSchemeParams
  readonly scheme: Scheme
  readonly table: Table | undefined
  readonly wish: InjectionWish
}
