// One step of training a network of layers: tensor parallel ranks share every layer, pipeline stages share the layers, data parallel ones share the
// batch, expert parallel ones (a part of the data parallel ones) share the experts. Micro-batches go through the pipeline one forward, one backward
// ("PipeDream: generalized pipeline parallelism for DNN training", D. Narayanan et al., 2019); gradients are summed at the end.
import { type Complaint, complain } from "../../core/complaint.ts"
import { bytes, int, schema, time } from "../../core/schema.ts"
import { Kind, type Program, WORLD } from "../program.ts"
import { type RankWriter, written } from "../writer.ts"
import type { WorkloadPlugin } from "./workload-plugin.ts"

const params = schema({
  data: int({ about: "data parallel ranks", min: 1, max: 1 << 16, default: 2 }),
  tensor: int({ about: "tensor parallel ranks: neighbours", min: 1, max: 1024, default: 2 }),
  pipeline: int({ about: "stages of the pipeline", min: 1, max: 1024, default: 2 }),
  expert: int({ about: "data parallel ranks that share the experts of a layer; 1: none are shared", min: 1, max: 1 << 16, default: 1 }),
  layers: int({ about: "layers of all stages together", min: 1, max: 4096, default: 4 }),
  batches: int({ about: "micro-batches of a step", min: 1, max: 4096, default: 4 }),
  steps: int({ about: "steps of training", min: 1, max: 1_000_000, default: 1 }),
  activation: bytes({
    about: "output of a layer for one micro-batch: summed over tensor parallel ranks twice a layer, sent to the next stage",
    default: "1MiB",
  }),
  gradient: bytes({ about: "gradients of a layer on one rank: summed over data parallel ranks", default: "4MiB" }),
  dispatch: bytes({ about: "what one rank sends another to and from the experts of a layer", default: "64KiB" }),
  forward: time({ about: "computing of a layer for one micro-batch, forward; backward takes twice as long", default: "50us" }),
})
export type TrainingSize = ReturnType<typeof params.parse> extends infer C ? Extract<C, { ok: unknown }>["ok"] : never

const TENSOR = 2
const DATA = 3
const EXPERT = 4
const FORWARD = 1
const BACKWARD = 2

/** Layers of a stage: the first ones have one more where they do not divide. */
function layersOf(p: TrainingSize, stage: number): number {
  return Math.floor(p.layers / p.pipeline) + (stage < p.layers % p.pipeline ? 1 : 0)
}

export function training(p: TrainingSize): Program {
  const { data, tensor, pipeline, expert } = p
  return written(data * tensor * pipeline, (r, w) => {
    const t = r % tensor
    const d = Math.floor(r / tensor) % data
    const stage = Math.floor(r / (tensor * data))
    const layers = layersOf(p, stage)
    const far = tensor * data
    const split = (name: number, colour: number, key: number) =>
      w.op(Kind.COMM_SPLIT, { comm: WORLD, peer: name, tag: colour, amount: key })
    split(TENSOR, stage * data + d, t)
    split(DATA, stage * tensor + t, d)
    split(EXPERT, (stage * tensor + t) * Math.ceil(data / expert) + Math.floor(d / expert), d)
    const layer = (compute: number) => {
      w.compute(compute)
      if (tensor > 1) for (let i = 0; i < 2; i++) w.collective(Kind.ALLREDUCE, p.activation, { comm: TENSOR })
      if (expert > 1) for (let i = 0; i < 2; i++) w.collective(Kind.ALLTOALL, p.dispatch, { comm: EXPERT })
    }
    const forward = () => {
      if (stage > 0) w.recv(r - far, p.activation, FORWARD)
      w.loop(layers, () => layer(p.forward))
      if (stage < pipeline - 1) sent(w, r + far, p.activation, FORWARD, 0)
    }
    const backward = () => {
      if (stage < pipeline - 1) w.recv(r + far, p.activation, BACKWARD)
      w.loop(layers, () => layer(2 * p.forward))
      if (stage > 0) sent(w, r - far, p.activation, BACKWARD, 1)
    }
    const ahead = Math.min(pipeline - 1 - stage, p.batches)
    w.loop(p.steps, () => {
      w.loop(ahead, forward)
      w.loop(p.batches - ahead, () => {
        forward()
        backward()
      })
      w.loop(ahead, backward)
      w.wait([0, 1])
      if (data > 1) w.loop(layers, () => w.collective(Kind.ALLREDUCE, p.gradient, { comm: DATA }))
    })
  })
}

/** Sends once what was sent before has gone. */
function sent(w: RankWriter, to: number, bytes: number, tag: number, request: number): void {
  w.wait([request])
  w.isend(to, bytes, tag, request)
}

function check(p: TrainingSize): Complaint[] {
  const bad: Complaint[] = []
  if (p.layers < p.pipeline)
    bad.push(complain("pipeline", `${p.pipeline} stages for ${p.layers} layers`, `set it to at most ${p.layers}, or add layers`))
  if (p.data % p.expert !== 0)
    bad.push(complain("expert", `${p.data} data parallel ranks are no multiple of ${p.expert}`, "set it to a divisor of data"))
  if (p.data * p.tensor * p.pipeline > 1 << 20)
    bad.push(complain("data", `${p.data * p.tensor * p.pipeline} ranks`, `choose degrees whose product is at most ${1 << 20}`))
  return bad
}

export const trainingWorkload: WorkloadPlugin<TrainingSize> = {
  kind: "workload",
  name: "training",
  about: "Steps of training a network of layers: data, tensor, pipeline (one forward, one backward) and expert parallel ranks.",
  params,
  check,
  make: training,
}
