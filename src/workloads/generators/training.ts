// Training of a neural network, one step after another. Tensor-parallel ranks share every layer, pipeline stages divide
// the layers, data-parallel ranks divide the batch, and expert-parallel ranks (a subset of the data-parallel ones)
// share the experts. Micro-batches pass the pipeline in the 1F1B schedule, one forward and one backward, of D.
// Narayanan et al., "PipeDream: generalized pipeline parallelism for DNN training", 2019. The gradients are summed at
// the end of a step and do not overlap with the backward pass.
import { type Complaint, complain } from "../../core/complaint.ts"
import { bytes, int, schema, time } from "../../core/schema.ts"
import { Kind, type Program, WORLD } from "../program.ts"
import { type RankWriter, written } from "../writer.ts"
import type { WorkloadPlugin } from "./workload-plugin.ts"

const params = schema({
  data: int({ about: "Number of data-parallel ranks", min: 1, max: 1 << 16, default: 2 }),
  tensor: int({
    about: "Number of tensor-parallel ranks; they have consecutive numbers",
    min: 1,
    max: 1024,
    default: 2,
  }),
  pipeline: int({ about: "Number of pipeline stages", min: 1, max: 1024, default: 2 }),
  expert: int({
    about: "Number of data-parallel ranks that share the experts of a layer; 1: no experts",
    min: 1,
    max: 1 << 16,
    default: 1,
  }),
  layers: int({ about: "Number of layers of all stages together", min: 1, max: 4096, default: 4 }),
  batches: int({ about: "Number of micro-batches in a step", min: 1, max: 4096, default: 4 }),
  steps: int({ about: "Number of training steps", min: 1, max: 1_000_000, default: 1 }),
  activation: bytes({
    about:
      "Output of a layer for one micro-batch: two all-reduces over the tensor-parallel ranks in each layer, and one " +
      "message to the next stage",
    default: "1MiB",
  }),
  gradient: bytes({
    about: "Gradients of a layer on one rank: an all-reduce over the data-parallel ranks",
    default: "4MiB",
  }),
  dispatch: bytes({
    about: "Size of the block that one rank sends to another, to and from the experts of a layer",
    default: "64KiB",
  }),
  forward: time({
    about: "Computing time of the forward pass of a layer for one micro-batch; the backward pass takes twice as long",
    default: "50us",
  }),
})
export type TrainingSize = ReturnType<typeof params.parse> extends infer C ? Extract<C, { ok: unknown }>["ok"] : never

const TENSOR = 2
const DATA = 3
const EXPERT = 4
const FORWARD = 1
const BACKWARD = 2

/** Returns the number of layers of a stage. The first stages have one more if the number does not divide. */
function layersOf(p: TrainingSize, stage: number): number {
  return Math.floor(p.layers / p.pipeline) + (stage < p.layers % p.pipeline ? 1 : 0)
}

export function training(p: TrainingSize): Program {
  const { data, tensor, pipeline, expert } = p
  // Rank order: tensor fastest, then data, then pipeline, as in Megatron-LM, so tensor-parallel ranks share a node.
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
      // Two all-reduces per layer (attention and MLP), and two all-to-alls (dispatch and combine) if there are experts.
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
    // 1F1B: a stage first runs as many forward passes as there are stages after it, then alternates, then drains.
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

/** Sends after the previous message with this request has left, so at most one is in flight. */
function sent(w: RankWriter, to: number, bytes: number, tag: number, request: number): void {
  w.wait([request])
  w.isend(to, bytes, tag, request)
}

function check(p: TrainingSize): Complaint[] {
  const bad: Complaint[] = []
  if (p.layers < p.pipeline)
    bad.push(
      complain(
        "pipeline",
        `${p.pipeline} stages for ${p.layers} layers`,
        `set it to at most ${p.layers}, or add layers`,
      ),
    )
  if (p.data % p.expert !== 0)
    bad.push(
      complain("expert", `${p.data} data parallel ranks are no multiple of ${p.expert}`, "set it to a divisor of data"),
    )
  if (p.data * p.tensor * p.pipeline > 1 << 20)
    bad.push(
      complain("data", `${p.data * p.tensor * p.pipeline} ranks`, `choose degrees whose product is at most ${1 << 20}`),
    )
  return bad
}

export const trainingWorkload: WorkloadPlugin<TrainingSize> = {
  kind: "workload",
  name: "training",
  about:
    "Steps of training a network of layers: data, tensor, pipeline (one forward, one backward) and expert parallel " +
    "ranks.",
  params,
  check,
  make: training,
}
