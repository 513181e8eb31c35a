// A training step of a large language model from a short description: layers, hidden size, tokens, batch and GPUs. The
// step is that of training.ts; this file computes its sizes and times. "Megatron-LM: training multi-billion parameter
// language models using model parallelism", M. Shoeybi and others, 2019; "Efficient large-scale language model training
// on GPU clusters using Megatron-LM", D. Narayanan and others, 2021.
//
// A layer has 12 h^2 parameters (h: hidden size): 4 h^2 in the attention and 8 h^2 in the MLP. Its forward pass takes
// 24 b s h^2 + 4 b s^2 h operations for b sequences of s tokens. Activations and gradients have two bytes for each
// number. With experts, each token goes to `choices` of them, and every rank has the same number of experts.
//
// Limits: the embedding and the output layer are left out; gradients are summed after the last backward pass; the
// optimiser takes no time.
import { type Complaint, complain } from "../../core/complaint.ts"
import { int, real, schema } from "../../core/schema.ts"
import { type TrainingSize, training, trainingWorkload } from "./training.ts"
import type { WorkloadPlugin } from "./workload-plugin.ts"

const params = schema({
  layers: int({ about: "Number of layers", min: 1, max: 4096, default: 32 }),
  hidden: int({ about: "Hidden size: numbers in the activation of a token", min: 1, max: 1 << 20, default: 4096 }),
  tokens: int({ about: "Number of tokens of a sequence", min: 1, max: 1 << 24, default: 4096 }),
  batch: int({ about: "Number of sequences of a step, over all GPUs", min: 1, max: 1 << 24, default: 64 }),
  micro: int({ about: "Number of sequences of a micro-batch", min: 1, max: 1 << 16, default: 1 }),
  gpus: int({
    about: "Number of GPUs, a multiple of tensor and pipeline; the quotient is the number of data-parallel ranks",
    min: 1,
    max: 1 << 20,
    default: 64,
  }),
  tensor: int({
    about: "Number of tensor-parallel GPUs; they have consecutive numbers",
    min: 1,
    max: 1024,
    default: 8,
  }),
  pipeline: int({ about: "Number of pipeline stages", min: 1, max: 1024, default: 2 }),
  expert: int({
    about: "Number of data-parallel ranks that share the experts of a layer; 1: no experts",
    min: 1,
    max: 1 << 16,
    default: 1,
  }),
  choices: int({ about: "Number of experts of each token", min: 1, max: 1024, default: 2 }),
  steps: int({ about: "Number of training steps", min: 1, max: 1_000_000, default: 1 }),
  flops: real({
    about: "Floating-point operations that a GPU achieves per second, such as half of its peak",
    above: 0,
    default: 4e14,
  }),
})
type Params = ReturnType<typeof params.parse> extends infer C ? Extract<C, { ok: unknown }>["ok"] : never

const BYTES = 2
const PS = 1e12

/** Returns the sizes and times of the step. */
export function sizesOf(p: Params): TrainingSize {
  const data = p.gpus / (p.tensor * p.pipeline)
  const words = p.tokens * p.micro
  const operations = 24 * words * p.hidden ** 2 + 4 * words * p.tokens * p.hidden
  return {
    data,
    tensor: p.tensor,
    pipeline: p.pipeline,
    expert: p.expert,
    layers: p.layers,
    batches: Math.max(1, Math.round(p.batch / (data * p.micro))),
    steps: p.steps,
    activation: words * p.hidden * BYTES,
    gradient: Math.round((12 * p.hidden ** 2 * BYTES) / p.tensor),
    dispatch: Math.max(1, Math.round((words * p.choices * p.hidden * BYTES) / (p.tensor * p.expert))),
    forward: Math.round((operations / p.tensor / p.flops) * PS),
  }
}

function check(p: Params): Complaint[] {
  const share = p.tensor * p.pipeline
  if (p.gpus % share !== 0)
    return [
      complain(
        "gpus",
        `${p.gpus} GPUs are no multiple of ${p.tensor} tensor-parallel GPUs and ${p.pipeline} stages`,
        `set it to a multiple of ${share}`,
      ),
    ]
  const data = p.gpus / share
  if (p.batch % (data * p.micro) !== 0)
    return [
      complain(
        "batch",
        `${p.batch} sequences cannot be divided into micro-batches of ${p.micro} on ${data} data-parallel ranks`,
        `set it to a multiple of ${data * p.micro}`,
      ),
    ]
  return (trainingWorkload.check?.(sizesOf(p), undefined) ?? []).map((c) =>
    c.path === "data" ? { ...c, path: "gpus" } : c,
  )
}

export const transformerWorkload: WorkloadPlugin<Params> = {
  kind: "workload",
  name: "transformer",
  about: "Training steps of a language model, from its layers, hidden size, tokens, batch and GPUs.",
  cites:
    "Efficient large-scale language model training on GPU clusters using Megatron-LM, D. Narayanan and others, 2021",
  limits: "no embedding and output layer; gradients do not overlap with the backward pass",
  params,
  check,
  make: (p) => training(sizesOf(p)),
}
