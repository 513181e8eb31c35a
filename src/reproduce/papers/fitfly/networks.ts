// The paper whose figures lie in this folder. Its networks are those of papers/fitfly/table2.figure.yaml.
export const cites =
  "Fit Fly: A Case Study on Interconnect Innovation through Parallel Simulation, N. " +
  "McGlohon, N. Wolfe, M. Mubarak, C. D. Carothers, 2019"
