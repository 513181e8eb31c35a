// Speed of CODES and ROSS as measured for this project: sequential, user CPU without start-up, two shared cores of the Neoverse N1 class.

/** run, chunk-hops per CPU second, resident MiB: networks of about 3,000 endpoints at three loads */
export const codesGoalSpeed = `
sf3k_minimal_u0.1 89235 3698
sf3k_adaptive_u0.1 61709 3705
dfd3k_minimal_u0.1 82395 804
dfp3k_minimal_u0.1 70347 2586
dfd3k_prog-adaptive_u0.1 79248 804
dfp3k_prog-adaptive_u0.1 63971 2586
sf3k_minimal_u0.5 66539 3708
sf3k_adaptive_u0.5 58001 3741
dfd3k_minimal_u0.5 67221 806
dfp3k_minimal_u0.5 68957 2587
dfd3k_prog-adaptive_u0.5 62300 806
dfp3k_prog-adaptive_u0.5 58266 2587
sf3k_minimal_u0.9 48991 3722
sf3k_adaptive_u0.9 42152 3780
dfd3k_minimal_u0.9 63968 817
dfp3k_minimal_u0.9 59762 2591
dfd3k_prog-adaptive_u0.9 59688 817
dfp3k_prog-adaptive_u0.9 49919 2591
`

/** the same of further runs: other loads and routings, and Fit Fly with 1 to 8 rails */
export const codesFurtherSpeed = `
sf3k_minimal_u0.3 86769 3703
sf3k_minimal_u0.7 56460 3714
sf3k_nonminimal_u0.1 110196 3698
sf3k_nonminimal_u0.3 86096 3703
sf3k_nonminimal_u0.5 70179 3710
sf3k_nonminimal_u0.7 51912 3726
sf3k_nonminimal_u0.9 43026 3746
sf3k_adaptive_u0.3 59853 3723
sf3k_adaptive_u0.7 47134 3760
dfd3k_minimal_u0.3 82472 805
dfd3k_minimal_u0.7 65577 808
dfd3k_nonminimal_u0.1 83367 805
dfd3k_nonminimal_u0.3 78495 806
dfd3k_nonminimal_u0.5 69035 814
dfd3k_nonminimal_u0.7 54938 857
dfd3k_nonminimal_u0.9 42952 901
dfd3k_prog-adaptive_u0.3 74039 805
dfd3k_prog-adaptive_u0.7 61918 808
dfp3k_minimal_u0.3 71824 2587
dfp3k_minimal_u0.7 66630 2588
dfp3k_non-minimal-leaf_u0.1 84554 2586
dfp3k_non-minimal-leaf_u0.3 75866 2586
dfp3k_non-minimal-leaf_u0.5 66756 2587
dfp3k_non-minimal-leaf_u0.7 42550 2641
dfp3k_non-minimal-leaf_u0.9 29269 2688
dfp3k_prog-adaptive_u0.3 58259 2586
dfp3k_prog-adaptive_u0.7 54239 2587
fig3_r1_L0.25 62698 4126
fig3_r1_L0.5 57738 4132
fig3_r1_L0.75 48376 4140
fig3_r1_L1.0 41038 4147
fig3_r1_L1.25 36835 4155
fig3_r1_L1.5 34783 4164
fig3_r2_L0.5 59591 4184
fig3_r2_L1.0 52457 4197
fig3_r2_L1.5 41428 4211
fig3_r2_L2.0 34677 4227
fig3_r2_L2.5 32594 4244
fig3_r2_L3.0 31046 4261
fig3_r4_L1.0 50847 4300
fig3_r4_L2.0 44878 4328
fig3_r4_L3.0 36503 4356
fig3_r4_L4.0 30625 4387
fig3_r4_L5.0 26757 4421
fig3_r4_L6.0 23989 4456
fig3_r8_L2.0 39396 4535
fig3_r8_L4.0 34272 4591
fig3_r8_L6.0 27103 4647
fig3_r8_L8.0 22828 4708
fig3_r8_L10.0 21730 4777
fig3_r8_L12.0 20649 4847
`

/** LPs look-ahead starts remote end events events per CPU second, events per second of the run loop, resident MiB */
export const rossPhold = `
64 1 1 0.25 40000 2559936 3938363 3902758 16
1024 1 1 0.25 4000 4094976 2367038 2344320 18
16384 1 1 0.25 250 4079616 587841 605152 44
262144 1 1 0.25 16 3932160 195338 272372 453
1024 1 16 0.25 250 4079616 819200 817224 33
1024 1 1 1 2000 2046976 2224974 2211054 18
8192 1 1 0.25 500 4087808 829170 842066 30
8192 0.1 1 0.25 250 2048126 750229 769758 30
8192 1 1 0.05 500 4087808 827491 837232 30
`
