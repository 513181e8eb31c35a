// Fuzz target: layer lists of AICB and SimAI.
import { changedText, traceReader } from "../traces.mjs"

const aicb = traceReader(
  {
    "list.csv":
      `[rank0 ~ rank7]\ncomm_type,comm_group,comm_group_size,msg_size\n` +
      `CommType.all_reduce,CommGroup.tp_group,2,100\n` +
      `CommType.all_gather,CommGroup.dp_group,4,400\n` +
      `CommType.barrier,all,8,0\n` +
      `CommType.epoch_end,None,None,0\n`,
  },
  changedText,
)
const simai = traceReader(
  {
    "list.txt":
      "HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 2 ep: 2 pp: 1 all_gpus: 8 pp_comm " +
      "5\n2\na\t-1\t100\tALLGATHER\t2048\t100\tREDUCESCATTER_EP\t2048\t50\tNONE\t0\t10\n" +
      "b\t-1\t2\tNONE\t0\t2\tALLTOALL_DP_EP\t8\t5\tALLREDUCE\t40\t1\n",
  },
  changedText,
)
export default {
  prepare: () => ({ aicb: aicb.prepare(), simai: simai.prepare() }),
  read: (random, p) => (random.chance(0.5) ? aicb.read(random, p.aicb) : simai.read(random, p.simai)),
}
