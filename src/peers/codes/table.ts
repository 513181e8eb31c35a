// Results of the public simulator CODES (on ROSS), measured for this project: one line for each run of its Slim Fly, Fit Fly, dragonfly
// (dally) and dragonfly+ models. src/peers/codes/experiments.ts says what the columns mean; codes.test.ts compares with the source where it is there.

/** id group network routing rails select chunk delay pattern arrivals load payload end_ns warmup_ns messages bytes mode | latency_us GiB/s hops detours message_us chunks */
export const codesRuns = `
sf50_minimal_u0.1 uniform_small sf200 minimal 1 - 4096 - uniform poisson 0.1 4096 100000 20000 - - seq 1.4682 1.2567 2.82728 0 - 6467
sf50_minimal_u0.3 uniform_small sf200 minimal 1 - 4096 - uniform poisson 0.3 4096 100000 20000 - - seq 1.5992 3.74699 2.83046 0 - 19311
sf50_minimal_u0.5 uniform_small sf200 minimal 1 - 4096 - uniform poisson 0.5 4096 100000 20000 - - seq 1.84074 6.25873 2.83253 0 - 32030
sf50_minimal_u0.7 uniform_small sf200 minimal 1 - 4096 - uniform poisson 0.7 4096 100000 20000 - - seq 2.40263 8.7297 2.83043 0 - 44354
sf50_minimal_u0.9 uniform_small sf200 minimal 1 - 4096 - uniform poisson 0.9 4096 100000 20000 - - seq 4.54711 10.9103 2.82888 0 - 54663
sf50_nonminimal_u0.1 uniform_small sf200 nonminimal 1 - 4096 - uniform poisson 0.1 4096 100000 20000 - - seq 2.28489 1.2567 4.6139 1 - 6418
sf50_nonminimal_u0.3 uniform_small sf200 nonminimal 1 - 4096 - uniform poisson 0.3 4096 100000 20000 - - seq 3.06084 3.74722 4.61962 1 - 19010
sf50_nonminimal_u0.5 uniform_small sf200 nonminimal 1 - 4096 - uniform poisson 0.5 4096 100000 20000 - - seq 10.0462 5.53918 4.61094 1 - 27474
sf50_nonminimal_u0.7 uniform_small sf200 nonminimal 1 - 4096 - uniform poisson 0.7 4096 100000 20000 - - seq 20.6998 5.72205 4.59663 1 - 28148
sf50_nonminimal_u0.9 uniform_small sf200 nonminimal 1 - 4096 - uniform poisson 0.9 4096 100000 20000 - - seq 27.6574 5.759 4.58547 1 - 27894
sf50_adaptive_u0.1 uniform_small sf200 adaptive 1 - 4096 - uniform poisson 0.1 4096 100000 20000 - - seq 1.51823 1.25694 2.96056 0.07099 - 6466
sf50_adaptive_u0.3 uniform_small sf200 adaptive 1 - 4096 - uniform poisson 0.3 4096 100000 20000 - - seq 1.79909 3.74603 3.25788 0.2279 - 19261
sf50_adaptive_u0.5 uniform_small sf200 adaptive 1 - 4096 - uniform poisson 0.5 4096 100000 20000 - - seq 2.48166 6.25205 3.57684 0.3984 - 31813
sf50_adaptive_u0.7 uniform_small sf200 adaptive 1 - 4096 - uniform poisson 0.7 4096 100000 20000 - - seq 4.20489 8.70371 3.42867 0.3595 - 43514
sf50_adaptive_u0.9 uniform_small sf200 adaptive 1 - 4096 - uniform poisson 0.9 4096 100000 20000 - - seq 7.78285 10.4973 3.09413 0.1876 - 51821
dfd72_minimal_u0.1 uniform_small df72 minimal 1 - 4096 - uniform phase 0.1 4096 100001 20000 - - seq 3.09128 1.24572 3.37394 0 3.10419 2241
dfd72_minimal_u0.3 uniform_small df72 minimal 1 - 4096 - uniform phase 0.3 4096 100001 20000 - - seq 3.14196 3.75041 3.35616 0 3.15146 6806
dfd72_minimal_u0.5 uniform_small df72 minimal 1 - 4096 - uniform phase 0.5 4096 100001 20000 - - seq 3.35247 6.26371 3.36556 0 3.36089 11366
dfd72_minimal_u0.7 uniform_small df72 minimal 1 - 4096 - uniform phase 0.7 4096 100001 20000 - - seq 3.7744 8.76045 3.36213 0 3.80075 15848
dfd72_minimal_u0.9 uniform_small df72 minimal 1 - 4096 - uniform phase 0.9 4096 100001 20000 - - seq 5.26778 11.1267 3.35839 0 5.45707 19956
dfd72_minimal_ng0.1 adversarial df72 minimal 1 - 4096 - nearest_group phase 0.1 4096 100001 20000 - - seq 3.67171 1.24307 3.5 0 3.68658 2232
dfd72_minimal_ng0.3 adversarial df72 minimal 1 - 4096 - nearest_group phase 0.3 4096 100001 20000 - - seq 24.6437 1.5795 3.34069 0 28.1789 2853
dfd72_minimal_ng0.5 adversarial df72 minimal 1 - 4096 - nearest_group phase 0.5 4096 100001 20000 - - seq 32.8894 1.56361 3.35245 0 40.593 2860
dfd72_nonminimal_u0.1 uniform_small df72 nonminimal 1 - 4096 - uniform phase 0.1 4096 100001 20000 - - seq 4.33028 1.26691 5.05152 0.9117 4.35108 2232
dfd72_nonminimal_u0.3 uniform_small df72 nonminimal 1 - 4096 - uniform phase 0.3 4096 100001 20000 - - seq 4.66755 3.75703 5.04158 0.9103 4.68885 6710
dfd72_nonminimal_u0.5 uniform_small df72 nonminimal 1 - 4096 - uniform phase 0.5 4096 100001 20000 - - seq 6.79343 6.18159 5.02982 0.9087 7.03794 10899
dfd72_nonminimal_u0.7 uniform_small df72 nonminimal 1 - 4096 - uniform phase 0.7 4096 100001 20000 - - seq 18.0931 6.06304 4.88932 0.8738 20.2488 10860
dfd72_nonminimal_u0.9 uniform_small df72 nonminimal 1 - 4096 - uniform phase 0.9 4096 100001 20000 - - seq 25.5454 5.95178 4.82496 0.8695 29.1685 10689
dfd72_nonminimal_ng0.1 adversarial df72 nonminimal 1 - 4096 - nearest_group phase 0.1 4096 100001 20000 - - seq 4.21588 1.25036 4.9219 1 4.24159 2228
dfd72_nonminimal_ng0.3 adversarial df72 nonminimal 1 - 4096 - nearest_group phase 0.3 4096 100001 20000 - - seq 4.7073 3.74644 4.92487 1 4.74406 6708
dfd72_nonminimal_ng0.5 adversarial df72 nonminimal 1 - 4096 - nearest_group phase 0.5 4096 100001 20000 - - seq 15.1158 4.88487 4.88325 1 16.7664 8728
dfd72_prog-adaptive_u0.1 uniform_small df72 prog-adaptive 1 - 4096 - uniform phase 0.1 4096 100001 20000 - - seq 3.38273 1.25301 3.84025 0.2619 3.39481 2241
dfd72_prog-adaptive_u0.3 uniform_small df72 prog-adaptive 1 - 4096 - uniform phase 0.3 4096 100001 20000 - - seq 3.6058 3.7524 3.98199 0.3353 3.62296 6773
dfd72_prog-adaptive_u0.5 uniform_small df72 prog-adaptive 1 - 4096 - uniform phase 0.5 4096 100001 20000 - - seq 3.7252 6.25841 3.83772 0.2625 3.73939 11320
dfd72_prog-adaptive_u0.7 uniform_small df72 prog-adaptive 1 - 4096 - uniform phase 0.7 4096 100001 20000 - - seq 4.14954 8.76045 3.76433 0.2206 4.17573 15793
dfd72_prog-adaptive_u0.9 uniform_small df72 prog-adaptive 1 - 4096 - uniform phase 0.9 4096 100001 20000 - - seq 6.12916 11.042 3.68587 0.1789 6.3993 19705
dfd72_prog-adaptive_ng0.1 adversarial df72 prog-adaptive 1 - 4096 - nearest_group phase 0.1 4096 100001 20000 - - seq 3.71302 1.24307 4.27912 0.5739 3.73156 2232
dfd72_prog-adaptive_ng0.3 adversarial df72 prog-adaptive 1 - 4096 - nearest_group phase 0.3 4096 100001 20000 - - seq 4.13297 3.74511 4.48532 0.604 4.15123 6742
dfd72_prog-adaptive_ng0.5 adversarial df72 prog-adaptive 1 - 4096 - nearest_group phase 0.5 4096 100001 20000 - - seq 6.96866 6.10874 4.69567 0.7375 7.31837 10837
dfp80_minimal_u0.1 uniform_small mf80 minimal 1 - 4096 - uniform phase 0.1 4096 100001 20000 - - seq 1.98057 1.27552 3.75304 0 1.99815 2551
dfp80_minimal_u0.3 uniform_small mf80 minimal 1 - 4096 - uniform phase 0.3 4096 100001 20000 - - seq 2.01113 3.76041 3.76747 0 2.02574 7672
dfp80_minimal_u0.5 uniform_small mf80 minimal 1 - 4096 - uniform phase 0.5 4096 100001 20000 - - seq 2.14621 6.24351 3.77065 0 2.16371 12784
dfp80_minimal_u0.7 uniform_small mf80 minimal 1 - 4096 - uniform phase 0.7 4096 100001 20000 - - seq 2.50367 8.75402 3.7667 0 2.53841 17857
dfp80_minimal_u0.9 uniform_small mf80 minimal 1 - 4096 - uniform phase 0.9 4096 100001 20000 - - seq 3.81468 11.1906 3.76531 0 3.97957 22583
dfp80_minimal_ng0.1 adversarial mf80 minimal 1 - 4096 - nearest_group phase 0.1 4096 100001 20000 - - seq 2.34679 1.2636 4 0 2.35787 2520
dfp80_minimal_ng0.3 adversarial mf80 minimal 1 - 4096 - nearest_group phase 0.3 4096 100001 20000 - - seq 10.4991 3.12324 4 0 11.9643 6360
dfp80_minimal_ng0.5 adversarial mf80 minimal 1 - 4096 - nearest_group phase 0.5 4096 100001 20000 - - seq 26.5451 3.11013 4 0 31.0144 6378
dfp80_non-minimal-leaf_u0.1 uniform_small mf80 non-minimal-leaf 1 - 4096 - uniform phase 0.1 4096 100001 20000 - - seq 2.9747 1.24453 6.18607 0.8127 3.00141 2499
dfp80_non-minimal-leaf_u0.3 uniform_small mf80 non-minimal-leaf 1 - 4096 - uniform phase 0.3 4096 100001 20000 - - seq 3.24598 3.75624 6.22971 0.822 3.26294 7566
dfp80_non-minimal-leaf_u0.5 uniform_small mf80 non-minimal-leaf 1 - 4096 - uniform phase 0.5 4096 100001 20000 - - seq 4.47171 6.21669 6.23087 0.8221 4.5896 12440
dfp80_non-minimal-leaf_u0.7 uniform_small mf80 non-minimal-leaf 1 - 4096 - uniform phase 0.7 4096 100001 20000 - - seq 21.3545 5.70707 5.96698 0.7637 24.5248 11479
dfp80_non-minimal-leaf_u0.9 uniform_small mf80 non-minimal-leaf 1 - 4096 - uniform phase 0.9 4096 100001 20000 - - seq 32.1099 5.93238 5.93982 0.7573 36.0901 11332
dfp80_non-minimal-leaf_ng0.1 adversarial mf80 non-minimal-leaf 1 - 4096 - nearest_group phase 0.1 4096 100001 20000 - - seq 3.34219 1.23976 7 1 3.35796 2480
dfp80_non-minimal-leaf_ng0.3 adversarial mf80 non-minimal-leaf 1 - 4096 - nearest_group phase 0.3 4096 100001 20000 - - seq 4.13816 3.75028 7 1 4.17812 7488
dfp80_non-minimal-leaf_ng0.5 adversarial mf80 non-minimal-leaf 1 - 4096 - nearest_group phase 0.5 4096 100001 20000 - - seq 24.4174 3.7324 7 1 27.7663 7442
dfp80_prog-adaptive_u0.1 uniform_small mf80 prog-adaptive 1 - 4096 - uniform phase 0.1 4096 100001 20000 - - seq 2.11118 1.27016 4.23839 0.1621 2.13086 2542
dfp80_prog-adaptive_u0.3 uniform_small mf80 prog-adaptive 1 - 4096 - uniform phase 0.3 4096 100001 20000 - - seq 2.18406 3.76279 4.24801 0.1604 2.20216 7661
dfp80_prog-adaptive_u0.5 uniform_small mf80 prog-adaptive 1 - 4096 - uniform phase 0.5 4096 100001 20000 - - seq 2.44186 6.24589 4.36777 0.1993 2.46863 12747
dfp80_prog-adaptive_u0.7 uniform_small mf80 prog-adaptive 1 - 4096 - uniform phase 0.7 4096 100001 20000 - - seq 2.87201 8.76118 4.29744 0.1772 2.91862 17785
dfp80_prog-adaptive_u0.9 uniform_small mf80 prog-adaptive 1 - 4096 - uniform phase 0.9 4096 100001 20000 - - seq 4.87345 11.0071 4.12745 0.1221 5.16782 22134
dfp80_prog-adaptive_ng0.1 adversarial mf80 prog-adaptive 1 - 4096 - nearest_group phase 0.1 4096 100001 20000 - - seq 2.64117 1.26241 5.55242 0.5175 2.65422 2518
dfp80_prog-adaptive_ng0.3 adversarial mf80 prog-adaptive 1 - 4096 - nearest_group phase 0.3 4096 100001 20000 - - seq 2.76939 3.74909 5.56016 0.5201 2.78204 7605
dfp80_prog-adaptive_ng0.5 adversarial mf80 prog-adaptive 1 - 4096 - nearest_group phase 0.5 4096 100001 20000 - - seq 3.16058 6.24291 5.50107 0.5004 3.18934 12651
sf3k_minimal_u0.1 uniform_3k sf3042 minimal 1 - 4096 - uniform poisson 0.1 4096 40000 10000 - - seq 1.51511 1.25614 2.93614 0 - 38598
sf3k_minimal_u0.3 uniform_3k sf3042 minimal 1 - 4096 - uniform poisson 0.3 4096 40000 10000 - - seq 1.64252 3.75321 2.93767 0 - 114602
sf3k_minimal_u0.5 uniform_3k sf3042 minimal 1 - 4096 - uniform poisson 0.5 4096 40000 10000 - - seq 1.86255 6.25855 2.9379 0 - 189568
sf3k_minimal_u0.7 uniform_3k sf3042 minimal 1 - 4096 - uniform poisson 0.7 4096 40000 10000 - - seq 2.31708 8.72565 2.93791 0 - 260207
sf3k_minimal_u0.9 uniform_3k sf3042 minimal 1 - 4096 - uniform poisson 0.9 4096 40000 10000 - - seq 3.28893 10.6212 2.93681 0 - 312117
sf3k_nonminimal_u0.1 uniform_3k sf3042 nonminimal 1 - 4096 - uniform poisson 0.1 4096 40000 10000 - - seq 2.39201 1.25877 4.88319 1 - 37686
sf3k_nonminimal_u0.3 uniform_3k sf3042 nonminimal 1 - 4096 - uniform poisson 0.3 4096 40000 10000 - - seq 3.04293 3.75605 4.88358 1 - 110362
sf3k_nonminimal_u0.5 uniform_3k sf3042 nonminimal 1 - 4096 - uniform poisson 0.5 4096 40000 10000 - - seq 5.84147 5.55284 4.87558 1 - 159486
sf3k_nonminimal_u0.7 uniform_3k sf3042 nonminimal 1 - 4096 - uniform poisson 0.7 4096 40000 10000 - - seq 9.67353 5.57671 4.86406 1 - 160089
sf3k_nonminimal_u0.9 uniform_3k sf3042 nonminimal 1 - 4096 - uniform poisson 0.9 4096 40000 10000 - - seq 12.0544 5.29322 4.85174 1 - 152267
sf3k_adaptive_u0.1 uniform_3k sf3042 adaptive 1 - 4096 - uniform poisson 0.1 4096 40000 10000 - - seq 1.5598 1.25668 3.05743 0.06171 - 38550
sf3k_adaptive_u0.3 uniform_3k sf3042 adaptive 1 - 4096 - uniform poisson 0.3 4096 40000 10000 - - seq 1.80935 3.75476 3.31403 0.1936 - 114142
sf3k_adaptive_u0.5 uniform_3k sf3042 adaptive 1 - 4096 - uniform poisson 0.5 4096 40000 10000 - - seq 2.3643 6.25546 3.65374 0.3682 - 186843
sf3k_adaptive_u0.7 uniform_3k sf3042 adaptive 1 - 4096 - uniform poisson 0.7 4096 40000 10000 - - seq 3.90496 8.45926 3.78959 0.4491 - 245771
sf3k_adaptive_u0.9 uniform_3k sf3042 adaptive 1 - 4096 - uniform poisson 0.9 4096 40000 10000 - - seq 5.45702 9.84728 3.53642 0.3331 - 282014
dfd3k_minimal_u0.1 uniform_3k df3078 minimal 1 - 4096 - uniform phase 0.1 4096 40000 10000 - - seq 3.09818 1.21765 3.34241 0 3.11193 35498
dfd3k_minimal_u0.3 uniform_3k df3078 minimal 1 - 4096 - uniform phase 0.3 4096 40000 10000 - - seq 3.18983 3.74071 3.35615 0 3.21078 109598
dfd3k_minimal_u0.5 uniform_3k df3078 minimal 1 - 4096 - uniform phase 0.5 4096 40000 10000 - - seq 3.40055 6.26186 3.35378 0 3.43211 182996
dfd3k_minimal_u0.7 uniform_3k df3078 minimal 1 - 4096 - uniform phase 0.7 4096 40000 10000 - - seq 3.84719 8.72535 3.35352 0 3.92547 253037
dfd3k_minimal_u0.9 uniform_3k df3078 minimal 1 - 4096 - uniform phase 0.9 4096 40000 10000 - - seq 4.98346 10.7673 3.34641 0 5.22174 309476
dfd3k_nonminimal_u0.1 uniform_3k df3078 nonminimal 1 - 4096 - uniform phase 0.1 4096 40000 10000 - - seq 4.18004 1.24298 4.79626 0.9437 4.22175 34068
dfd3k_nonminimal_u0.3 uniform_3k df3078 nonminimal 1 - 4096 - uniform phase 0.3 4096 40000 10000 - - seq 4.57386 3.75343 4.78974 0.9431 4.63048 105540
dfd3k_nonminimal_u0.5 uniform_3k df3078 nonminimal 1 - 4096 - uniform phase 0.5 4096 40000 10000 - - seq 6.45642 5.80054 4.76858 0.9378 6.73812 161420
dfd3k_nonminimal_u0.7 uniform_3k df3078 nonminimal 1 - 4096 - uniform phase 0.7 4096 40000 10000 - - seq 10.5108 5.28642 4.65964 0.9082 11.5257 150915
dfd3k_nonminimal_u0.9 uniform_3k df3078 nonminimal 1 - 4096 - uniform phase 0.9 4096 40000 10000 - - seq 12.7874 4.87562 4.55321 0.8773 14.3098 141216
dfd3k_prog-adaptive_u0.1 uniform_3k df3078 prog-adaptive 1 - 4096 - uniform phase 0.1 4096 40000 10000 - - seq 3.28341 1.22493 3.69141 0.196 3.31499 35208
dfd3k_prog-adaptive_u0.3 uniform_3k df3078 prog-adaptive 1 - 4096 - uniform phase 0.3 4096 40000 10000 - - seq 3.57415 3.74579 3.93915 0.3061 3.61531 108451
dfd3k_prog-adaptive_u0.5 uniform_3k df3078 prog-adaptive 1 - 4096 - uniform phase 0.5 4096 40000 10000 - - seq 3.67051 6.25777 3.75831 0.2231 3.71062 181513
dfd3k_prog-adaptive_u0.7 uniform_3k df3078 prog-adaptive 1 - 4096 - uniform phase 0.7 4096 40000 10000 - - seq 3.98971 8.74683 3.69734 0.183 4.06031 252205
dfd3k_prog-adaptive_u0.9 uniform_3k df3078 prog-adaptive 1 - 4096 - uniform phase 0.9 4096 40000 10000 - - seq 5.11327 10.7913 3.62401 0.1433 5.34476 308818
dfp3k_minimal_u0.1 uniform_3k mf3240 minimal 1 - 4096 - uniform phase 0.1 4096 40000 10000 - - seq 2.09811 1.2707 3.8904 0 2.11 38877
dfp3k_minimal_u0.3 uniform_3k mf3240 minimal 1 - 4096 - uniform phase 0.3 4096 40000 10000 - - seq 2.12303 3.77431 3.88904 0 2.13725 119121
dfp3k_minimal_u0.5 uniform_3k mf3240 minimal 1 - 4096 - uniform phase 0.5 4096 40000 10000 - - seq 2.28567 6.23836 3.88768 0 2.30957 198127
dfp3k_minimal_u0.7 uniform_3k mf3240 minimal 1 - 4096 - uniform phase 0.7 4096 40000 10000 - - seq 2.73858 8.72463 3.88737 0 2.8014 274586
dfp3k_minimal_u0.9 uniform_3k mf3240 minimal 1 - 4096 - uniform phase 0.9 4096 40000 10000 - - seq 3.94007 10.8113 3.88565 0 4.1865 336363
dfp3k_non-minimal-leaf_u0.1 uniform_3k mf3240 non-minimal-leaf 1 - 4096 - uniform phase 0.1 4096 40000 10000 - - seq 3.16622 1.20646 6.57086 0.8953 3.18001 37060
dfp3k_non-minimal-leaf_u0.3 uniform_3k mf3240 non-minimal-leaf 1 - 4096 - uniform phase 0.3 4096 40000 10000 - - seq 3.41823 3.73495 6.57078 0.8953 3.44674 114651
dfp3k_non-minimal-leaf_u0.5 uniform_3k mf3240 non-minimal-leaf 1 - 4096 - uniform phase 0.5 4096 40000 10000 - - seq 4.5644 6.11788 6.55487 0.8915 4.72541 184536
dfp3k_non-minimal-leaf_u0.7 uniform_3k mf3240 non-minimal-leaf 1 - 4096 - uniform phase 0.7 4096 40000 10000 - - seq 10.9403 4.40268 6.24151 0.8157 12.5432 138936
dfp3k_non-minimal-leaf_u0.9 uniform_3k mf3240 non-minimal-leaf 1 - 4096 - uniform phase 0.9 4096 40000 10000 - - seq 16.5784 3.07083 6.03433 0.768 20.1638 101082
dfp3k_prog-adaptive_u0.1 uniform_3k mf3240 prog-adaptive 1 - 4096 - uniform phase 0.1 4096 40000 10000 - - seq 2.20838 1.26741 4.36994 0.1599 2.22102 38793
dfp3k_prog-adaptive_u0.3 uniform_3k mf3240 prog-adaptive 1 - 4096 - uniform phase 0.3 4096 40000 10000 - - seq 2.2729 3.77683 4.36092 0.1574 2.29371 118631
dfp3k_prog-adaptive_u0.5 uniform_3k mf3240 prog-adaptive 1 - 4096 - uniform phase 0.5 4096 40000 10000 - - seq 2.55385 6.23907 4.4787 0.1973 2.59322 196575
dfp3k_prog-adaptive_u0.7 uniform_3k mf3240 prog-adaptive 1 - 4096 - uniform phase 0.7 4096 40000 10000 - - seq 2.98719 8.7222 4.39674 0.17 3.06734 272628
dfp3k_prog-adaptive_u0.9 uniform_3k mf3240 prog-adaptive 1 - 4096 - uniform phase 0.9 4096 40000 10000 - - seq 4.29575 10.6339 4.21076 0.1089 4.59078 329451
par_sf3k_adaptive_u0.5_seq parallel_modes sf3042 adaptive 1 - 4096 - uniform poisson 0.5 4096 8000 2000 - - seq 2.08452 5.41732 3.47563 0.2799 - 27374
par_sf3k_adaptive_u0.5_cons2 parallel_modes sf3042 adaptive 1 - 4096 - uniform poisson 0.5 4096 8000 2000 - - cons 2.08452 5.41732 3.47563 0.2799 - 27374
par_sf3k_adaptive_u0.5_opt2 parallel_modes sf3042 adaptive 1 - 4096 - uniform poisson 0.5 4096 8000 2000 - - opti 2.07949 5.42631 3.46848 0.2778 - 27412
par_sf3k_adaptive_u0.5_opt2_b4g256 parallel_modes sf3042 adaptive 1 - 4096 - uniform poisson 0.5 4096 8000 2000 - - opti 2.07527 5.43488 3.46592 0.2743 - 27462
par_sf3k_adaptive_u0.5_opt2_mol1000 parallel_modes sf3042 adaptive 1 - 4096 - uniform poisson 0.5 4096 8000 2000 - - opti 2.08238 5.4238 3.4768 0.2811 - 27410
par_sf3k_rs_u0.5_seq parallel_modes sf3042 adaptive 1 - 4096 - uniform phase0 0.50000128 4096 - 0 - 49152 seq 2.10498 - 3.47661 0.277 - 36504
par_dfd3k_rs_u0.5_seq parallel_modes df3078 prog-adaptive 1 - 4096 - uniform phase0 0.50000128 4096 - 0 - 49152 seq 3.63584 - 3.78717 0.2335 - 36936
par_dfp3k_rs_u0.5_seq parallel_modes mf3240 prog-adaptive 1 - 4096 - uniform phase0 0.50000128 4096 - 0 - 49152 seq 2.49749 - 4.48637 0.1988 - 38880
par_sf3k_rs_u0.5_opt2 parallel_modes sf3042 adaptive 1 - 4096 - uniform phase0 0.50000128 4096 - 0 - 49152 opti 2.09898 - 3.4705 0.2738 - 36504
par_dfd3k_rs_u0.5_opt2 parallel_modes df3078 prog-adaptive 1 - 4096 - uniform phase0 0.50000128 4096 - 0 - 49152 opti 3.63584 - 3.78717 0.2335 - 36936
par_dfp3k_rs_u0.5_opt2 parallel_modes mf3240 prog-adaptive 1 - 4096 - uniform phase0 0.50000128 4096 - 0 - 49152 opti 2.49749 - 4.48637 0.1988 - 38880
par_sf3k_rs_u0.5_opt2_b4g256 parallel_modes sf3042 adaptive 1 - 4096 - uniform phase0 0.50000128 4096 - 0 - 49152 opti 2.10139 - 3.47403 0.2753 - 36504
par_dfd3k_rs_u0.5_opt2_b4g256 parallel_modes df3078 prog-adaptive 1 - 4096 - uniform phase0 0.50000128 4096 - 0 - 49152 opti 3.63584 - 3.78717 0.2335 - 36936
par_dfp3k_rs_u0.5_opt2_b4g256 parallel_modes mf3240 prog-adaptive 1 - 4096 - uniform phase0 0.50000128 4096 - 0 - 49152 opti 2.49749 - 4.48637 0.1988 - 38880
par_sf3k_rs_u0.5_opt2_mol1000 parallel_modes sf3042 adaptive 1 - 4096 - uniform phase0 0.50000128 4096 - 0 - 49152 opti 2.10192 - 3.47425 0.2762 - 36504
par_dfd3k_rs_u0.5_opt2_mol1000 parallel_modes df3078 prog-adaptive 1 - 4096 - uniform phase0 0.50000128 4096 - 0 - 49152 opti 3.63584 - 3.78717 0.2335 - 36936
par_dfp3k_rs_u0.5_opt2_mol1000 parallel_modes mf3240 prog-adaptive 1 - 4096 - uniform phase0 0.50000128 4096 - 0 - 49152 opti 2.49749 - 4.48637 0.1988 - 38880
zl_sf3k_minimal_p8 zero_load sf3042 minimal 1 - 4096 - bisection poisson 0.0005 8 1000000000 0 1 - seq 0.275285 - 2.96844 0 - 3042
zl_dfd3k_minimal_p8 zero_load df3078 minimal 1 - 4096 - nearest_group phase 0.01 8 1000000000 0 1 - seq 1.67221 - 3.44704 0 1.68372 3078
zl_dfp3k_minimal_p8 zero_load mf3240 minimal 1 - 4096 - nearest_group phase 0.01 8 1000000000 0 1 - seq 0.376076 - 4 0 0.388087 3240
zl_sf3k_minimal_p64 zero_load sf3042 minimal 1 - 4096 - bisection poisson 0.0005 64 1000000000 0 1 - seq 0.291839 - 2.96844 0 - 3042
zl_dfd3k_minimal_p64 zero_load df3078 minimal 1 - 4096 - nearest_group phase 0.01 64 1000000000 0 1 - seq 1.70829 - 3.44704 0 1.7198 3078
zl_dfp3k_minimal_p64 zero_load mf3240 minimal 1 - 4096 - nearest_group phase 0.01 64 1000000000 0 1 - seq 0.41468 - 4 0 0.426691 3240
zl_sf3k_minimal_p512 zero_load sf3042 minimal 1 - 4096 - bisection poisson 0.0005 512 1000000000 0 1 - seq 0.42431 - 2.96844 0 - 3042
zl_dfd3k_minimal_p512 zero_load df3078 minimal 1 - 4096 - nearest_group phase 0.01 512 1000000000 0 1 - seq 1.99693 - 3.44704 0 2.00844 3078
zl_dfp3k_minimal_p512 zero_load mf3240 minimal 1 - 4096 - nearest_group phase 0.01 512 1000000000 0 1 - seq 0.723507 - 4 0 0.735518 3240
zl_sf3k_minimal_p1024 zero_load sf3042 minimal 1 - 4096 - bisection poisson 0.005 1024 1000000000 0 1 - seq 0.576224 - 2.96844 0 - 3042
zl_dfd3k_minimal_p1024 zero_load df3078 minimal 1 - 4096 - nearest_group phase 0.01 1024 1000000000 0 1 - seq 2.43441 - 3.44704 0 2.44591 3078
zl_dfp3k_minimal_p1024 zero_load mf3240 minimal 1 - 4096 - nearest_group phase 0.01 1024 1000000000 0 1 - seq 1.07651 - 4 0 1.08852 3240
zl_sf3k_minimal_p4096 zero_load sf3042 minimal 1 - 4096 - bisection poisson 0.005 4096 1000000000 0 1 - seq 1.48625 - 2.96844 0 - 3042
zl_dfd3k_minimal_p4096 zero_load df3078 minimal 1 - 4096 - nearest_group phase 0.01 4096 1000000000 0 1 - seq 5.33156 - 3.44704 0 5.34307 3078
zl_dfp3k_minimal_p4096 zero_load mf3240 minimal 1 - 4096 - nearest_group phase 0.01 4096 1000000000 0 1 - seq 3.19429 - 4 0 3.2063 3240
zl_sf3k_minimal_p4097 zero_load sf3042 minimal 1 - 4096 - bisection poisson 0.005 4097 1000000000 0 1 - seq 1.33334 - 2.96844 0 - 6084
zl_dfd3k_minimal_p4097 zero_load df3078 minimal 1 - 4096 - nearest_group phase 0.01 4097 1000000000 0 1 - seq 4.75899 - 3.44428 0 5.53359 6156
zl_dfp3k_minimal_p4097 zero_load mf3240 minimal 1 - 4096 - nearest_group phase 0.01 4097 1000000000 0 1 - seq 2.83597 - 4 0 3.59016 6480
zl_sf3k_minimal_p8192 zero_load sf3042 minimal 1 - 4096 - bisection poisson 0.005 8192 1000000000 0 1 - seq 1.48834 - 2.96844 0 - 6084
zl_dfd3k_minimal_p8192 zero_load df3078 minimal 1 - 4096 - nearest_group phase 0.01 8192 1000000000 0 1 - seq 7.93752 - 3.44428 0 10.6025 6156
zl_dfp3k_minimal_p8192 zero_load mf3240 minimal 1 - 4096 - nearest_group phase 0.01 8192 1000000000 0 1 - seq 4.4303 - 4 0 5.99437 6480
zl_sf3k_minimal_p65536 zero_load sf3042 minimal 1 - 4096 - bisection poisson 0.005 65536 1000000000 0 1 - seq 1.51721 - 2.96844 0 - 48672
zl_dfd3k_minimal_p65536 zero_load df3078 minimal 1 - 4096 - nearest_group phase 0.01 65536 1000000000 0 1 - seq 44.2829 - 3.44381 0 87.1266 49248
zl_dfp3k_minimal_p65536 zero_load mf3240 minimal 1 - 4096 - nearest_group phase 0.01 65536 1000000000 0 1 - seq 21.5776 - 4 0 45.0343 51840
zl_sf3k_minimal_chunk512_p4096 zero_load sf3042 minimal 1 - 512 - bisection poisson 0.005 4096 1000000000 0 1 - seq 0.563698 - 2.96844 0 - 24336
zl_dfd3k_minimal_chunk512_p4096 zero_load df3078 minimal 1 - 512 - nearest_group phase 0.01 4096 1000000000 0 1 - seq 3.17505 - 3.44416 0 5.64307 24624
zl_dfp3k_minimal_chunk512_p4096 zero_load mf3240 minimal 1 - 512 - nearest_group phase 0.01 4096 1000000000 0 1 - seq 1.95763 - 4 0 3.22381 25920
zl_sf3k_minimal_chunk1024_p4096 zero_load sf3042 minimal 1 - 1024 - bisection poisson 0.005 4096 1000000000 0 1 - seq 0.69394 - 2.96844 0 - 12168
zl_dfd3k_minimal_chunk1024_p4096 zero_load df3078 minimal 1 - 1024 - nearest_group phase 0.01 4096 1000000000 0 1 - seq 3.48568 - 3.44493 0 5.56403 12312
zl_dfp3k_minimal_chunk1024_p4096 zero_load mf3240 minimal 1 - 1024 - nearest_group phase 0.01 4096 1000000000 0 1 - seq 2.12177 - 4 0 3.18657 12960
seed1_sf3k_adaptive_u0.5 seed_spread sf3042 adaptive 1 - 4096 - uniform poisson 0.5 4096 20000 5000 - - seq 2.29782 6.14598 3.61591 0.3492 - 86717
seed1_dfd3k_prog_u0.5 seed_spread df3078 prog-adaptive 1 - 4096 - uniform phase 0.5 4096 20000 5000 - - seq 3.62836 6.15631 3.72863 0.2127 3.68745 80445
seed2_sf3k_adaptive_u0.5 seed_spread sf3042 adaptive 1 - 4096 - uniform poisson 0.5 4096 20000 5000 - - seq 2.28413 6.11957 3.60699 0.3446 - 86339
seed2_dfd3k_prog_u0.5 seed_spread df3078 prog-adaptive 1 - 4096 - uniform phase 0.5 4096 20000 5000 - - seq 3.63476 6.1559 3.73127 0.2172 3.69625 80511
seed3_sf3k_adaptive_u0.5 seed_spread sf3042 adaptive 1 - 4096 - uniform poisson 0.5 4096 20000 5000 - - seq 2.29378 6.16388 3.61072 0.3484 - 86893
seed3_dfd3k_prog_u0.5 seed_spread df3078 prog-adaptive 1 - 4096 - uniform phase 0.5 4096 20000 5000 - - seq 3.62981 6.14582 3.72937 0.2125 3.68945 80331
fig3_r1_L0.25 fig3_rails_12us sf3042 adaptive 1 - 4096 - uniform poisson 0.25 4096 12000 6000 - - seq 1.71413 3.1252 3.21972 0.1464 - 25510
fig3_r1_L0.5 fig3_rails_12us sf3042 adaptive 1 - 4096 - uniform poisson 0.5 4096 12000 6000 - - seq 2.21477 6.1365 3.5624 0.3227 - 47164
fig3_r1_L0.75 fig3_rails_12us sf3042 adaptive 1 - 4096 - uniform poisson 0.75 4096 12000 6000 - - seq 2.95804 7.66806 3.69684 0.3988 - 57316
fig3_r1_L1.0 fig3_rails_12us sf3042 adaptive 1 - 4096 - uniform poisson 1 4096 12000 6000 - - seq 3.40182 8.50469 3.59761 0.358 - 62054
fig3_r1_L1.25 fig3_rails_12us sf3042 adaptive 1 - 4096 - uniform poisson 1.25 4096 12000 6000 - - seq 3.60213 8.83032 3.54452 0.3353 - 64119
fig3_r1_L1.5 fig3_rails_12us sf3042 adaptive 1 - 4096 - uniform poisson 1.5 4096 12000 6000 - - seq 3.68532 9.00003 3.52854 0.3288 - 65257
fig3_r2_L0.5 fig3_rails_12us sf3042 adaptive 2 congestion 4096 - uniform poisson 0.5 4096 12000 6000 - - seq 1.37501 6.27987 3.2226 0.1474 - 52701
fig3_r2_L1.0 fig3_rails_12us sf3042 adaptive 2 congestion 4096 - uniform poisson 1 4096 12000 6000 - - seq 1.81139 12.3614 3.56277 0.3233 - 99091
fig3_r2_L1.5 fig3_rails_12us sf3042 adaptive 2 congestion 4096 - uniform poisson 1.5 4096 12000 6000 - - seq 2.6215 15.9343 3.71317 0.4088 - 123062
fig3_r2_L2.0 fig3_rails_12us sf3042 adaptive 2 congestion 4096 - uniform poisson 2 4096 12000 6000 - - seq 3.07876 18.1564 3.57635 0.3499 - 135842
fig3_r2_L2.5 fig3_rails_12us sf3042 adaptive 2 congestion 4096 - uniform poisson 2.5 4096 12000 6000 - - seq 3.23747 18.7096 3.52764 0.3288 - 140256
fig3_r2_L3.0 fig3_rails_12us sf3042 adaptive 2 congestion 4096 - uniform poisson 3 4096 12000 6000 - - seq 3.29566 18.919 3.52057 0.3262 - 141713
fig3_r4_L1.0 fig3_rails_12us sf3042 adaptive 4 congestion 4096 - uniform poisson 1 4096 12000 6000 - - seq 1.21402 12.5044 3.22166 0.1476 - 107008
fig3_r4_L2.0 fig3_rails_12us sf3042 adaptive 4 congestion 4096 - uniform poisson 2 4096 12000 6000 - - seq 1.64965 24.6994 3.56577 0.3251 - 202253
fig3_r4_L3.0 fig3_rails_12us sf3042 adaptive 4 congestion 4096 - uniform poisson 3 4096 12000 6000 - - seq 2.48316 32.3445 3.70439 0.4045 - 254133
fig3_r4_L4.0 fig3_rails_12us sf3042 adaptive 4 congestion 4096 - uniform poisson 4 4096 12000 6000 - - seq 2.9749 36.8514 3.55708 0.3415 - 281186
fig3_r4_L5.0 fig3_rails_12us sf3042 adaptive 4 congestion 4096 - uniform poisson 5 4096 12000 6000 - - seq 3.10991 37.6784 3.52462 0.3273 - 287409
fig3_r4_L6.0 fig3_rails_12us sf3042 adaptive 4 congestion 4096 - uniform poisson 6 4096 12000 6000 - - seq 3.13481 37.8178 3.52202 0.3264 - 289065
fig3_r8_L2.0 fig3_rails_12us sf3042 adaptive 8 congestion 4096 - uniform poisson 2 4096 12000 6000 - - seq 1.13688 25.0225 3.22403 0.148 - 215429
fig3_r8_L4.0 fig3_rails_12us sf3042 adaptive 8 congestion 4096 - uniform poisson 4 4096 12000 6000 - - seq 1.57317 49.5014 3.56756 0.326 - 408658
fig3_r8_L6.0 fig3_rails_12us sf3042 adaptive 8 congestion 4096 - uniform poisson 6 4096 12000 6000 - - seq 2.42009 65.1753 3.69731 0.4012 - 516427
fig3_r8_L8.0 fig3_rails_12us sf3042 adaptive 8 congestion 4096 - uniform poisson 8 4096 12000 6000 - - seq 2.92765 74.0911 3.5476 0.3366 - 570954
fig3_r8_L10.0 fig3_rails_12us sf3042 adaptive 8 congestion 4096 - uniform poisson 10 4096 12000 6000 - - seq 3.00874 74.9917 3.52865 0.3284 - 579978
fig3_r8_L12.0 fig3_rails_12us sf3042 adaptive 8 congestion 4096 - uniform poisson 12 4096 12000 6000 - - seq 3.0211 75.1233 3.52843 0.3285 - 581710
ff3k_congestion_adaptive_u0.1 fitfly_rail_selection sf3042 adaptive 2 congestion 4096 - uniform poisson 0.1 4096 30000 10000 - - seq 1.20271 1.23708 2.99497 0.03076 - 28613
ff3k_congestion_adaptive_u0.5 fitfly_rail_selection sf3042 adaptive 2 congestion 4096 - uniform poisson 0.5 4096 30000 10000 - - seq 1.38508 6.22597 3.23847 0.1549 - 141891
ff3k_congestion_adaptive_u0.9 fitfly_rail_selection sf3042 adaptive 2 congestion 4096 - uniform poisson 0.9 4096 30000 10000 - - seq 1.74759 11.2388 3.54267 0.3115 - 252284
ff3k_path_adaptive_u0.1 fitfly_rail_selection sf3042 adaptive 2 path 4096 - uniform poisson 0.1 4096 30000 10000 - - seq 1.18087 1.23777 2.94239 0.03055 - 28641
ff3k_path_adaptive_u0.5 fitfly_rail_selection sf3042 adaptive 2 path 4096 - uniform poisson 0.5 4096 30000 10000 - - seq 1.36388 6.22365 3.19388 0.1552 - 141982
ff3k_path_adaptive_u0.9 fitfly_rail_selection sf3042 adaptive 2 path 4096 - uniform poisson 0.9 4096 30000 10000 - - seq 1.7231 11.2382 3.50874 0.3124 - 252493
ff3k_rand_adaptive_u0.1 fitfly_rail_selection sf3042 adaptive 2 rand 4096 - uniform poisson 0.1 4096 30000 10000 - - seq 1.20189 1.23708 2.9934 0.03006 - 28613
ff3k_rand_adaptive_u0.5 fitfly_rail_selection sf3042 adaptive 2 rand 4096 - uniform poisson 0.5 4096 30000 10000 - - seq 1.39521 6.2234 3.25272 0.1623 - 141828
ff3k_rand_adaptive_u0.9 fitfly_rail_selection sf3042 adaptive 2 rand 4096 - uniform poisson 0.9 4096 30000 10000 - - seq 1.78771 11.2265 3.56028 0.3203 - 251664
ff3k_congestion_minimal_u0.1 fitfly_rail_selection sf3042 minimal 2 congestion 4096 - uniform poisson 0.1 4096 30000 10000 - - seq 1.18209 1.2367 2.93552 0 - 28629
ff3k_congestion_adaptive_inj1_u0.1 fitfly_rail_selection sf3042 adaptive 2 congestion 4096 - uniform poisson 0.1 4096 30000 10000 - - seq 1.20309 1.23727 2.99622 0.03027 - 28611
ff3k_congestion_minimal_u0.5 fitfly_rail_selection sf3042 minimal 2 congestion 4096 - uniform poisson 0.5 4096 30000 10000 - - seq 1.26113 6.22497 2.937 0 - 142555
ff3k_congestion_adaptive_inj1_u0.5 fitfly_rail_selection sf3042 adaptive 2 congestion 4096 - uniform poisson 0.5 4096 30000 10000 - - seq 1.38696 6.22221 3.24173 0.1566 - 141854
ff3k_congestion_minimal_u0.9 fitfly_rail_selection sf3042 minimal 2 congestion 4096 - uniform poisson 0.9 4096 30000 10000 - - seq 1.38959 11.2376 2.93728 0 - 255715
ff3k_congestion_adaptive_inj1_u0.9 fitfly_rail_selection sf3042 adaptive 2 congestion 4096 - uniform poisson 0.9 4096 30000 10000 - - seq 1.748 11.2337 3.54188 0.3111 - 252193
sf3k_minimal_wc0.05 adversarial sf3042 minimal 1 - 4096 - worst_case poisson 0.05 4096 30000 10000 - - seq 2.27705 0.602865 2.99443 0 - 13457
sf3k_nonminimal_wc0.05 adversarial sf3042 nonminimal 1 - 4096 - worst_case poisson 0.05 4096 30000 10000 - - seq 2.3099 0.614527 4.89723 1 - 13613
sf3k_adaptive_wc0.05 adversarial sf3042 adaptive 1 - 4096 - worst_case poisson 0.05 4096 30000 10000 - - seq 1.83236 0.61597 3.70726 0.3764 - 13869
dfd3k_minimal_ng0.05 adversarial df3078 minimal 1 - 4096 - nearest_group phase 0.05 4096 30000 10000 - - seq 5.2358 0.628905 3.42652 0 5.39076 10853
dfd3k_nonminimal_ng0.05 adversarial df3078 nonminimal 1 - 4096 - nearest_group phase 0.05 4096 30000 10000 - - seq 3.64931 0.672096 4.07401 1 3.76841 12309
dfd3k_prog-adaptive_ng0.05 adversarial df3078 prog-adaptive 1 - 4096 - nearest_group phase 0.05 4096 30000 10000 - - seq 3.7738 0.691491 4.34105 0.7671 3.866 12312
dfp3k_minimal_ng0.05 adversarial mf3240 minimal 1 - 4096 - nearest_group phase 0.05 4096 30000 10000 - - seq 3.18556 0.618475 4 0 3.29024 12956
dfp3k_non-minimal-leaf_ng0.05 adversarial mf3240 non-minimal-leaf 1 - 4096 - nearest_group phase 0.05 4096 30000 10000 - - seq 3.34865 0.581859 7 1 3.37131 12960
dfp3k_prog-adaptive_ng0.05 adversarial mf3240 prog-adaptive 1 - 4096 - nearest_group phase 0.05 4096 30000 10000 - - seq 2.90407 0.573205 6.04653 0.6822 2.91835 12960
sf3k_minimal_wc0.15 adversarial sf3042 minimal 1 - 4096 - worst_case poisson 0.15 4096 30000 10000 - - seq 9.46612 0.706133 2.98832 0 - 16093
sf3k_nonminimal_wc0.15 adversarial sf3042 nonminimal 1 - 4096 - worst_case poisson 0.15 4096 30000 10000 - - seq 2.48948 1.86847 4.89791 1 - 40730
sf3k_adaptive_wc0.15 adversarial sf3042 adaptive 1 - 4096 - worst_case poisson 0.15 4096 30000 10000 - - seq 2.21525 1.86778 4.28742 0.6831 - 41125
dfd3k_minimal_ng0.15 adversarial df3078 minimal 1 - 4096 - nearest_group phase 0.15 4096 30000 10000 - - seq 11.4673 0.69081 3.43025 0 13.239 14229
dfd3k_nonminimal_ng0.15 adversarial df3078 nonminimal 1 - 4096 - nearest_group phase 0.15 4096 30000 10000 - - seq 3.68665 1.89979 4.0427 1 3.73452 38286
dfd3k_prog-adaptive_ng0.15 adversarial df3078 prog-adaptive 1 - 4096 - nearest_group phase 0.15 4096 30000 10000 - - seq 3.86206 1.89731 4.34456 0.7506 3.90278 37811
dfp3k_minimal_ng0.15 adversarial mf3240 minimal 1 - 4096 - nearest_group phase 0.15 4096 30000 10000 - - seq 6.18838 1.39425 4 0 7.01937 30826
dfp3k_non-minimal-leaf_ng0.15 adversarial mf3240 non-minimal-leaf 1 - 4096 - nearest_group phase 0.15 4096 30000 10000 - - seq 3.35708 1.87368 7 1 3.37041 41378
dfp3k_prog-adaptive_ng0.15 adversarial mf3240 prog-adaptive 1 - 4096 - nearest_group phase 0.15 4096 30000 10000 - - seq 2.90134 1.89852 6.03111 0.677 2.91378 41946
sf3k_minimal_wc0.4 adversarial sf3042 minimal 1 - 4096 - worst_case poisson 0.4 4096 30000 10000 - - seq 13.1028 0.709205 2.98836 0 - 16232
sf3k_nonminimal_wc0.4 adversarial sf3042 nonminimal 1 - 4096 - worst_case poisson 0.4 4096 30000 10000 - - seq 3.86384 4.79797 4.89822 1 - 100883
sf3k_adaptive_wc0.4 adversarial sf3042 adaptive 1 - 4096 - worst_case poisson 0.4 4096 30000 10000 - - seq 3.28461 4.87835 4.68605 0.8952 - 104039
dfd3k_minimal_ng0.4 adversarial df3078 minimal 1 - 4096 - nearest_group phase 0.4 4096 30000 10000 - - seq 14.3838 0.690996 3.43643 0 17.2785 14905
dfd3k_nonminimal_ng0.4 adversarial df3078 nonminimal 1 - 4096 - nearest_group phase 0.4 4096 30000 10000 - - seq 4.63052 4.86671 4.04775 1 4.80935 99167
dfd3k_prog-adaptive_ng0.4 adversarial df3078 prog-adaptive 1 - 4096 - nearest_group phase 0.4 4096 30000 10000 - - seq 4.41226 4.97249 4.40831 0.8543 4.50232 101292
dfp3k_minimal_ng0.4 adversarial mf3240 minimal 1 - 4096 - nearest_group phase 0.4 4096 30000 10000 - - seq 12.0633 1.39778 4 0 14.7394 32372
dfp3k_non-minimal-leaf_ng0.4 adversarial mf3240 non-minimal-leaf 1 - 4096 - nearest_group phase 0.4 4096 30000 10000 - - seq 4.44905 4.86845 7 1 4.61794 105475
dfp3k_prog-adaptive_ng0.4 adversarial mf3240 prog-adaptive 1 - 4096 - nearest_group phase 0.4 4096 30000 10000 - - seq 3.35116 5.00991 6.13633 0.7121 3.41098 111487
dfd3k_nodelay_minimal_u0.1 uniform_3k_dally_without_propagation df3078 minimal 1 - 4096 nodelay uniform phase 0.1 4096 40000 10000 - - seq 1.80882 1.27124 3.36783 0 1.82166 36936
dfd3k_nodelay_prog-adaptive_u0.1 uniform_3k_dally_without_propagation df3078 prog-adaptive 1 - 4096 nodelay uniform phase 0.1 4096 40000 10000 - - seq 1.87689 1.27115 3.72042 0.1998 1.88989 36934
dfd3k_nodelay_minimal_u0.3 uniform_3k_dally_without_propagation df3078 minimal 1 - 4096 nodelay uniform phase 0.3 4096 40000 10000 - - seq 1.85224 3.74814 3.36249 0 1.86932 113725
dfd3k_nodelay_prog-adaptive_u0.3 uniform_3k_dally_without_propagation df3078 prog-adaptive 1 - 4096 nodelay uniform phase 0.3 4096 40000 10000 - - seq 1.9885 3.7517 3.82898 0.2563 2.00944 113328
dfd3k_nodelay_minimal_u0.5 uniform_3k_dally_without_propagation df3078 minimal 1 - 4096 nodelay uniform phase 0.5 4096 40000 10000 - - seq 2.06091 6.26104 3.35949 0 2.08758 189723
dfd3k_nodelay_prog-adaptive_u0.5 uniform_3k_dally_without_propagation df3078 prog-adaptive 1 - 4096 nodelay uniform phase 0.5 4096 40000 10000 - - seq 2.26933 6.24716 3.9461 0.3041 2.30127 188399
dfd3k_nodelay_minimal_u0.7 uniform_3k_dally_without_propagation df3078 minimal 1 - 4096 nodelay uniform phase 0.7 4096 40000 10000 - - seq 2.53964 8.73435 3.35737 0 2.61176 262342
dfd3k_nodelay_prog-adaptive_u0.7 uniform_3k_dally_without_propagation df3078 prog-adaptive 1 - 4096 nodelay uniform phase 0.7 4096 40000 10000 - - seq 2.69014 8.74216 3.83975 0.2533 2.75671 261304
dfd3k_nodelay_minimal_u0.9 uniform_3k_dally_without_propagation df3078 minimal 1 - 4096 nodelay uniform phase 0.9 4096 40000 10000 - - seq 3.69971 10.8216 3.35091 0 3.95772 321567
dfd3k_nodelay_prog-adaptive_u0.9 uniform_3k_dally_without_propagation df3078 prog-adaptive 1 - 4096 nodelay uniform phase 0.9 4096 40000 10000 - - seq 3.97764 10.7373 3.68148 0.1728 4.26161 318031
zl_dfd3k_nodelay_minimal_p4096 zero_load df3078 minimal 1 - 4096 nodelay nearest_group phase 0.01 4096 1000000000 0 1 - seq 4.13322 - 3.44704 0 4.14473 3078
like_sf3k_u0.1 like_for_like_driver sf3042 adaptive 1 - 4096 - uniform phase0 0.1 4096 25001 0 - - seq 1.77495 - 3.34661 0.2102 - 24336
like_ff3k_u0.1 like_for_like_driver sf3042 adaptive 2 congestion 4096 - uniform phase0 0.1 4096 25001 0 - - seq 1.30225 - 3.14561 0.1067 - 24345
like_dfd3k_u0.1 like_for_like_driver df3078 prog-adaptive 1 - 4096 - uniform phase0 0.1 4096 25001 0 - - seq 3.26627 - 3.67115 0.1831 - 23731
like_dfp3k_u0.1 like_for_like_driver mf3240 prog-adaptive 1 - 4096 - uniform phase0 0.1 4096 25001 0 - - seq 2.21331 - 4.37976 0.1638 - 25911
like_sf3k_u0.5 like_for_like_driver sf3042 adaptive 1 - 4096 - uniform phase0 0.499999969 4096 25001 0 - - seq 2.1818 - 3.4955 0.2877 - 114744
like_ff3k_u0.5 like_for_like_driver sf3042 adaptive 2 congestion 4096 - uniform phase0 0.499999969 4096 25001 0 - - seq 1.34895 - 3.15354 0.1116 - 118421
like_dfd3k_u0.5 like_for_like_driver df3078 prog-adaptive 1 - 4096 - uniform phase0 0.499999969 4096 25001 0 - - seq 3.65105 - 3.74616 0.2206 - 109073
like_dfp3k_u0.5 like_for_like_driver mf3240 prog-adaptive 1 - 4096 - uniform phase0 0.499999969 4096 25001 0 - - seq 2.53285 - 4.46156 0.1917 - 120206
like_sf3k_u0.9 like_for_like_driver sf3042 adaptive 1 - 4096 - uniform phase0 0.900000004 4096 25001 0 - - seq 4.52955 - 3.60274 0.3666 - 171663
like_ff3k_u0.9 like_for_like_driver sf3042 adaptive 2 congestion 4096 - uniform phase0 0.900000004 4096 25001 0 - - seq 1.79871 - 3.59875 0.3404 - 209333
like_dfd3k_u0.9 like_for_like_driver df3078 prog-adaptive 1 - 4096 - uniform phase0 0.900000004 4096 25001 0 - - seq 4.74315 - 3.60866 0.1427 - 179037
like_dfp3k_u0.9 like_for_like_driver mf3240 prog-adaptive 1 - 4096 - uniform phase0 0.900000004 4096 25001 0 - - seq 3.85229 - 4.21203 0.1101 - 194816
zlnn_dfd3k_minimal_p8 zero_load df3078 minimal 1 - 4096 - nearest_neighbor phase 0.01 8 1000000000 0 1 - seq 0.750404 - 1.12346 0 0.761913 3078
zlnn_dfp3k_minimal_p8 zero_load mf3240 minimal 1 - 4096 - nearest_neighbor phase 0.01 8 1000000000 0 1 - seq 0.104951 - 1.1142 0 0.116962 3240
zlnn_dfd3k_nodelay_minimal_p8 zero_load df3078 minimal 1 - 4096 nodelay nearest_neighbor phase 0.01 8 1000000000 0 1 - seq 0.102377 - 1.12346 0 0.113886 3078
zlnn_dfd3k_minimal_p4096 zero_load df3078 minimal 1 - 4096 - nearest_neighbor phase 0.01 4096 1000000000 0 1 - seq 1.39717 - 1.12346 0 1.40867 3078
zlnn_dfp3k_minimal_p4096 zero_load mf3240 minimal 1 - 4096 - nearest_neighbor phase 0.01 4096 1000000000 0 1 - seq 0.748893 - 1.1142 0 0.760904 3240
zlnn_dfd3k_nodelay_minimal_p4096 zero_load df3078 minimal 1 - 4096 nodelay nearest_neighbor phase 0.01 4096 1000000000 0 1 - seq 0.749139 - 1.12346 0 0.760648 3078
zlnn_dfd3k_minimal_p8192 zero_load df3078 minimal 1 - 4096 - nearest_neighbor phase 0.01 8192 1000000000 0 1 - seq 1.39717 - 1.12346 0 1.71385 6156
zlnn_dfp3k_minimal_p8192 zero_load mf3240 minimal 1 - 4096 - nearest_neighbor phase 0.01 8192 1000000000 0 1 - seq 0.748918 - 1.1142 0 1.0674 6480
zlnn_dfd3k_nodelay_minimal_p8192 zero_load df3078 minimal 1 - 4096 nodelay nearest_neighbor phase 0.01 8192 1000000000 0 1 - seq 0.749139 - 1.12346 0 1.06582 6156
`

/** Fat tree and torus, of which lacewing has no model with the same rules: id network latency_us GiB/s hops. */
export const codesOthers = `
ft3456_adaptive_u0.1_e20000 fattree 2.43622 - 4.90099
ft3456_adaptive_u0.1_e40000 fattree 2.4397 1.24011 4.90819
ft3456_adaptive_u0.3_e20000 fattree 2.62652 - 4.90604
ft3456_adaptive_u0.3_e40000 fattree 2.63787 3.74731 4.90916
ft3456_adaptive_u0.5_e20000 fattree 2.90546 - 4.90511
ft3456_adaptive_u0.5_e40000 fattree 2.94517 6.27902 4.90805
ft3456_adaptive_u0.7_e20000 fattree 3.39992 - 4.90389
ft3456_adaptive_u0.7_e40000 fattree 3.61961 8.73429 4.90662
ft3456_adaptive_u0.9_e20000 fattree 4.02489 - 4.89879
ft3456_adaptive_u0.9_e40000 fattree 4.92294 10.1859 4.90362
par_ft3456_u0.5_seq fattree 2.773 - 4.88873
par_ft3456_u0.5_cons2 fattree 2.773 - 4.88873
par_ft3456_u0.5_opt2 fattree 2.69497 - 4.88899
par_ft3456_u0.5_opt2_b4g256 fattree 2.93917 - 4.88765
par_ft3456_u0.5_opt2_mol1000 fattree 2.67895 - 4.88954
par_ft3456_rs_u0.5_seq fattree 2.90627 - 4.90818
par_torus3136_rs_u0.2_seq torus 46.2476 - 10.9933
par_ft3456_rs_u0.5_opt2 fattree 3.08127 - 4.90818
par_torus3136_rs_u0.2_opt2 torus 46.2476 - 10.9933
par_ft3456_rs_u0.5_opt2_b4g256 fattree 2.99023 - 4.90818
par_torus3136_rs_u0.2_opt2_b4g256 torus 46.2476 - 10.9933
par_ft3456_rs_u0.5_opt2_mol1000 fattree 3.07949 - 4.90818
par_torus3136_rs_u0.2_opt2_mol1000 torus 46.2476 - 10.9933
torus3136_u0.05 torus 53.1719 - 9.31985
torus3136_p512_u0.05 torus 7.00586 - 9.1864
torus3136_u0.1 torus 53.9229 - 9.21112
torus3136_p512_u0.1 torus 7.25378 - 9.16112
torus3136_u0.2 torus 57.3675 - 9.3399
torus3136_p512_u0.2 torus 7.59856 - 9.11623
torus3136_u0.3 torus 58.9053 - 9.21807
torus3136_p512_u0.3 torus 8.68095 - 8.79869
torus3136_u0.4 torus 63.1641 - 8.89396
torus3136_p512_u0.4 torus 9.13111 - 8.46343
like_ft3456_u0.1 fattree 2.67731 - 4.90724
like_ft3456_u0.5 fattree 2.9361 - 4.90596
like_ft3456_u0.9 fattree 4.68592 - 4.90023
`

/** Slim Fly q = 13, adversarial traffic: endpoints of router i send to router [i], -1 = silent. */
export const worstCasePairs: readonly number[] = [
  170, 172, 173, 171, 174, 176, 177, 175, 178, 180, 181, 179, 183, 182, 184, 186, 185, 187, 188, 190, 189, 191, 192, 195, 193, 204, 200,
  196, 197, 194, 199, 201, 202, 211, 206, 205, 210, 208, 216, 215, 221, 222, 217, 219, 220, 203, 226, 218, 213, 225, 212, 209, 227, 228,
  229, 223, 224, 234, 235, 214, 230, 231, 233, 242, 257, 236, 238, 239, 237, 240, 247, 243, 241, 244, 251, 248, 232, 245, 249, 252, 250,
  254, 256, 246, 259, 258, 264, 263, 260, 253, 270, 262, 261, 266, 265, 268, 273, 271, 274, 275, 269, 267, 272, 282, 278, 279, 285, 286,
  280, 281, 283, 288, 289, 298, 299, 294, 293, 290, 292, 300, 301, 305, 304, 287, 313, 276, 277, 291, 297, 296, 306, 312, 309, 308, 310,
  314, 311, 323, 316, 307, 302, 303, 326, 315, 317, 319, 327, 329, 330, 151, 331, 149, 321, 322, 325, 333, 332, 160, 320, 324, 157, 163,
  328, 161, 166, 167, 164, 165, 337, -1, 0, 3, 1, 2, 4, 7, 5, 6, 8, 11, 9, 10, 13, 12, 14, 16, 15, 17, 18, 20, 19, 21, 22, 24, 29, 23, 27,
  28, 335, 30, 26, 31, 32, 45, 25, 35, 34, -1, 37, 51, 36, 33, 50, 48, 59, 39, 38, 42, 47, 43, 44, 40, 41, 55, 56, 49, 46, 52, 53, 54, 60,
  61, 76, 62, 57, 58, 65, 68, 66, 67, 69, 72, 63, 71, 73, 77, 83, 70, 75, 78, 80, 74, 79, 89, 81, -1, 82, 64, 85, 84, 88, 92, 91, 87, 86,
  94, 93, 101, 95, 100, 90, 97, 102, 96, 98, 99, 125, 126, 104, 105, 108, 109, 103, 110, -1, 106, 107, 123, 111, 112, 117, 127, 118, 116,
  115, -1, 129, 128, 113, 114, 119, 120, 140, 141, 122, 121, 130, 139, 133, 132, 134, 136, 131, 124, 135, 143, 138, 144, 334, 145, 158, 152,
  153, 137, 159, 154, 142, 146, 162, 147, 148, 150, 156, 155, 318, 198, -1, 168,
]
