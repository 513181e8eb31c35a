// The calls that a DUMPI trace records, with the fields of each record in file order (sst-dumpi, Sandia National
// Laboratories, 2009-2019). record.ts decodes records with this table.
//
// A line is `number name | field:kind …`. The kinds are:
//   `i32`; `req` (an i32); `type`, `comm` and `h16` (u16 handles); `e8` (u8); `i64`; `text` (u32 length, bytes).
//   `status`: u32 count, 14 bytes each; absent if the call was recorded without it.
//   `X[]`: u32 count, elements; `X[][]` likewise. `text*argc`: argc texts.
//
// `@root:` fields are present on the root only. Call 128 (Pcontrol) is counted and never recorded. 290 is the sum of
// all calls, 293 the end of the records.
const table = `
0 Send | count:i32 datatype:type dest:i32 tag:i32 comm:comm
1 Recv | count:i32 datatype:type source:i32 tag:i32 comm:comm status:status
2 Get_count | status:status datatype:type count:i32
3 Bsend | count:i32 datatype:type dest:i32 tag:i32 comm:comm
4 Ssend | count:i32 datatype:type dest:i32 tag:i32 comm:comm
5 Rsend | count:i32 datatype:type dest:i32 tag:i32 comm:comm
6 Buffer_attach | size:i32
7 Buffer_detach | size:i32
8 Isend | count:i32 datatype:type dest:i32 tag:i32 comm:comm request:req
9 Ibsend | count:i32 datatype:type dest:i32 tag:i32 comm:comm request:req
10 Issend | count:i32 datatype:type dest:i32 tag:i32 comm:comm request:req
11 Irsend | count:i32 datatype:type dest:i32 tag:i32 comm:comm request:req
12 Irecv | count:i32 datatype:type source:i32 tag:i32 comm:comm request:req
13 Wait | request:req status:status
14 Test | request:req flag:i32 status:status
15 Request_free | request:req
16 Waitany | count:i32 requests:req[] index:i32 status:status
17 Testany | count:i32 requests:req[] index:i32 flag:i32 status:status
18 Waitall | count:i32 requests:req[] statuses:status
19 Testall | count:i32 requests:req[] flag:i32 statuses:status
20 Waitsome | count:i32 requests:req[] outcount:i32 indices:i32[] statuses:status
21 Testsome | count:i32 requests:req[] outcount:i32 indices:i32[] statuses:status
22 Iprobe | source:i32 tag:i32 comm:comm flag:i32 status:status
23 Probe | source:i32 tag:i32 comm:comm status:status
24 Cancel | request:req
25 Test_cancelled | status:status cancelled:i32
26 Send_init | count:i32 datatype:type dest:i32 tag:i32 comm:comm request:req
27 Bsend_init | count:i32 datatype:type dest:i32 tag:i32 comm:comm request:req
28 Ssend_init | count:i32 datatype:type dest:i32 tag:i32 comm:comm request:req
29 Rsend_init | count:i32 datatype:type dest:i32 tag:i32 comm:comm request:req
30 Recv_init | count:i32 datatype:type source:i32 tag:i32 comm:comm request:req
31 Start | request:req
32 Startall | count:i32 requests:req[]
33 Sendrecv | sendcount:i32 sendtype:type dest:i32 sendtag:i32 recvcount:i32 recvtype:type source:i32 recvtag:i32
    comm:comm status:status
34 Sendrecv_replace | count:i32 datatype:type dest:i32 sendtag:i32 source:i32 recvtag:i32 comm:comm status:status
35 Type_contiguous | count:i32 oldtype:type newtype:type
36 Type_vector | count:i32 blocklength:i32 stride:i32 oldtype:type newtype:type
37 Type_hvector | count:i32 blocklength:i32 stride:i32 oldtype:type newtype:type
38 Type_indexed | count:i32 lengths:i32[] indices:i32[] oldtype:type newtype:type
39 Type_hindexed | count:i32 lengths:i32[] indices:i32[] oldtype:type newtype:type
40 Type_struct | count:i32 lengths:i32[] indices:i32[] oldtypes:type[] newtype:type
41 Address | address:i32
42 Type_extent | datatype:type extent:i32
43 Type_size | datatype:type size:i32
44 Type_lb | datatype:type lb:i32
45 Type_ub | datatype:type ub:i32
46 Type_commit | datatype:type
47 Type_free | datatype:type
48 Get_elements | status:status datatype:type elements:i32
49 Pack | incount:i32 datatype:type outcount:i32 position.in:i32 position.out:i32 comm:comm
50 Unpack | incount:i32 position.in:i32 position.out:i32 outcount:i32 datatype:type comm:comm
51 Pack_size | incount:i32 datatype:type comm:comm size:i32
52 Barrier | comm:comm
53 Bcast | count:i32 datatype:type root:i32 comm:comm
54 Gather | commrank:i32 sendcount:i32 sendtype:type root:i32 comm:comm @root:recvcount:i32 @root:recvtype:type
55 Gatherv | commrank:i32 commsize:i32 sendcount:i32 sendtype:type root:i32 comm:comm @root:recvcounts:i32[]
    @root:displs:i32[] recvtype:type
56 Scatter | commrank:i32 recvcount:i32 recvtype:type root:i32 comm:comm @root:sendcount:i32 @root:sendtype:type
57 Scatterv | commrank:i32 commsize:i32 sendtype:type recvcount:i32 recvtype:type root:i32 comm:comm
    @root:sendcounts:i32[] @root:displs:i32[]
58 Allgather | sendcount:i32 sendtype:type recvcount:i32 recvtype:type comm:comm
59 Allgatherv | commsize:i32 sendcount:i32 sendtype:type recvcounts:i32[] displs:i32[] recvtype:type comm:comm
60 Alltoall | sendcount:i32 sendtype:type recvcount:i32 recvtype:type comm:comm
61 Alltoallv | commsize:i32 sendcounts:i32[] senddispls:i32[] sendtype:type recvcounts:i32[] recvdispls:i32[]
    recvtype:type comm:comm
62 Reduce | count:i32 datatype:type op:e8 root:i32 comm:comm
63 Op_create | commute:i32 op:e8
64 Op_free | op:e8
65 Allreduce | count:i32 datatype:type op:e8 comm:comm
66 Reduce_scatter | commsize:i32 recvcounts:i32[] datatype:type op:e8 comm:comm
67 Scan | count:i32 datatype:type op:e8 comm:comm
68 Group_size | group:h16 size:i32
69 Group_rank | group:h16 rank:i32
70 Group_translate_ranks | group1:h16 count:i32 ranks1:i32[] group2:h16 ranks2:i32[]
71 Group_compare | group1:h16 group2:h16 result:e8
72 Comm_group | comm:comm group:h16
73 Group_union | group1:h16 group2:h16 newgroup:h16
74 Group_intersection | group1:h16 group2:h16 newgroup:h16
75 Group_difference | group1:h16 group2:h16 newgroup:h16
76 Group_incl | group:h16 count:i32 ranks:i32[] newgroup:h16
77 Group_excl | group:h16 count:i32 ranks:i32[] newgroup:h16
78 Group_range_incl | group:h16 count:i32 ranges:i32[][] newgroup:h16
79 Group_range_excl | group:h16 count:i32 ranges:i32[][] newgroup:h16
80 Group_free | group:h16
81 Comm_size | comm:comm size:i32
82 Comm_rank | comm:comm rank:i32
83 Comm_compare | comm1:comm comm2:comm result:e8
84 Comm_dup | oldcomm:comm newcomm:comm
85 Comm_create | oldcomm:comm group:h16 newcomm:comm
86 Comm_split | oldcomm:comm color:i32 key:i32 newcomm:comm
87 Comm_free | comm:comm
88 Comm_test_inter | comm:comm inter:i32
89 Comm_remote_size | comm:comm size:i32
90 Comm_remote_group | comm:comm group:h16
91 Intercomm_create | localcomm:comm localleader:i32 remotecomm:comm remoteleader:i32 tag:i32 newcomm:comm
92 Intercomm_merge | comm:comm high:i32 newcomm:comm
93 Keyval_create | key:h16
94 Keyval_free | key:h16
95 Attr_put | comm:comm key:i32
96 Attr_get | comm:comm key:i32 flag:i32
97 Attr_delete | comm:comm key:i32
98 Topo_test | comm:comm topo:e8
99 Cart_create | oldcomm:comm ndim:i32 dims:i32[] periods:i32[] reorder:i32 newcomm:comm
100 Dims_create | nodes:i32 ndim:i32 dims.in:i32[] dims.out:i32[]
101 Graph_create | numedges:i32 oldcomm:comm nodes:i32 index:i32[] edges:i32[] reorder:i32 newcomm:comm
102 Graphdims_get | comm:comm nodes:i32 edges:i32
103 Graph_get | totedges:i32 totnodes:i32 comm:comm maxindex:i32 maxedges:i32 index:i32[] edges:i32[]
104 Cartdim_get | comm:comm ndim:i32
105 Cart_get | ndim:i32 comm:comm maxdims:i32 dims:i32[] periods:i32[] coords:i32[]
106 Cart_rank | ndim:i32 comm:comm coords:i32[] rank:i32
107 Cart_coords | ndim:i32 comm:comm rank:i32 maxdims:i32 coords:i32[]
108 Graph_neighbors_count | comm:comm rank:i32 nneigh:i32
109 Graph_neighbors | nneigh:i32 comm:comm rank:i32 maxneighbors:i32 neighbors:i32[]
110 Cart_shift | comm:comm direction:i32 displ:i32 source:i32 dest:i32
111 Cart_sub | ndim:i32 oldcomm:comm remain_dims:i32[] newcomm:comm
112 Cart_map | comm:comm ndim:i32 dims:i32[] period:i32[] newrank:i32
113 Graph_map | numedges:i32 comm:comm nodes:i32 index:i32[] edges:i32[] newrank:i32
114 Get_processor_name | name:text resultlen:i32
115 Get_version | version:i32 subversion:i32
116 Errhandler_create | errhandler:h16
117 Errhandler_set | comm:comm errhandler:h16
118 Errhandler_get | comm:comm errhandler:h16
119 Errhandler_free | errhandler:h16
120 Error_string | errorcode:i32 errorstring:text resultlen:i32
121 Error_class | errorcode:i32 errorclass:i32
122 Wtime |
123 Wtick |
124 Init | argc:i32 argv:text*argc
125 Finalize |
126 Initialized | result:i32
127 Abort | comm:comm errorcode:i32
129 Close_port | portname:text
130 Comm_accept | portname:text info:h16 root:i32 oldcomm:comm newcomm:comm
131 Comm_connect | portname:text info:h16 root:i32 oldcomm:comm newcomm:comm
132 Comm_disconnect | comm:comm
133 Comm_get_parent | parent:comm
134 Comm_join | fd:i32 comm:comm
135 Comm_spawn | oldcommrank:i32 root:i32 oldcomm:comm newcomm:comm @root:command:text @root:argv:text[]
    @root:maxprocs:i32 @root:info:h16 @root:errcodes:i32[]
136 Comm_spawn_multiple | totprocs:i32 oldcommrank:i32 root:i32 oldcomm:comm newcomm:comm @root:count:i32
    @root:commands:text[] @root:argvs:text[][] @root:maxprocs:i32[] @root:info:h16[] @root:errcodes:i32[]
137 Lookup_name | servicename:text info:h16 portname:text
138 Open_port | info:h16 portname:text
139 Publish_name | servicename:text info:h16 portname:text
140 Unpublish_name | servicename:text info:h16 portname:text
141 Accumulate | origincount:i32 origintype:type targetrank:i32 targetdisp:i32 targetcount:i32 targettype:type op:e8
    win:h16
142 Get | origincount:i32 origintype:type targetrank:i32 targetdisp:i32 targetcount:i32 targettype:type win:h16
143 Put | origincount:i32 origintype:type targetrank:i32 targetdisp:i32 targetcount:i32 targettype:type win:h16
144 Win_complete | win:h16
145 Win_create | size:i32 dispunit:i32 info:h16 comm:comm win:h16
146 Win_fence | assertion:e8 win:h16
147 Win_free | win:h16
148 Win_get_group | win:h16 group:h16
149 Win_lock | locktype:e8 winrank:i32 assertion:e8 win:h16
150 Win_post | group:h16 assertion:e8 win:h16
151 Win_start | group:h16 assertion:e8 win:h16
152 Win_test | win:h16 flag:i32
153 Win_unlock | winrank:i32 win:h16
154 Win_wait | win:h16
155 Alltoallw | commsize:i32 sendcounts:i32[] senddispls:i32[] sendtypes:type[] recvcounts:i32[] recvdispls:i32[]
    recvtypes:type[] comm:comm
156 Exscan | count:i32 datatype:type op:e8 comm:comm
157 Add_error_class | errorclass:i32
158 Add_error_code | errorclass:i32 errorcode:i32
159 Add_error_string | errorcode:i32 errorstring:text
160 Comm_call_errhandler | comm:comm errorcode:i32
161 Comm_create_keyval | keyval:h16
162 Comm_delete_attr | comm:comm keyval:h16
163 Comm_free_keyval | keyval:h16
164 Comm_get_attr | comm:comm keyval:h16 flag:i32
165 Comm_get_name | comm:comm name:text resultlen:i32
166 Comm_set_attr | comm:comm keyval:h16
167 Comm_set_name | comm:comm name:text
168 File_call_errhandler | file:h16 errorcode:i32
169 Grequest_complete | request:req
170 Grequest_start | request:req
171 Init_thread | argc:i32 argv:text*argc required:e8 provided:e8
172 Is_thread_main | flag:i32
173 Query_thread | supported:e8
174 Status_set_cancelled | status:status flag:i32
175 Status_set_elements | status:status datatype:type count:i32
176 Type_create_keyval | keyval:h16
177 Type_delete_attr | datatype:type keyval:h16
178 Type_dup | oldtype:type newtype:type
179 Type_free_keyval | keyval:h16
180 Type_get_attr | datatype:type keyval:h16 flag:i32
181 Type_get_contents | numdatatypes:i32 numaddresses:i32 numintegers:i32 datatype:type maxintegers:i32
    maxaddresses:i32 maxdatatypes:i32 arrintegers:i32[] arraddresses:i32[] arrdatatypes:type[]
182 Type_get_envelope | datatype:type numintegers:i32 numaddresses:i32 numdatatypes:i32 combiner:e8
183 Type_get_name | datatype:type name:text resultlen:i32
184 Type_set_attr | datatype:type keyval:h16
185 Type_set_name | datatype:type name:text
186 Type_match_size | typeclass:e8 size:i32 datatype:type
187 Win_call_errhandler | win:h16 errorcode:i32
188 Win_create_keyval | keyval:h16
189 Win_delete_attr | win:h16 keyval:h16
190 Win_free_keyval | keyval:h16
191 Win_get_attr | win:h16 keyval:h16 flag:i32
192 Win_get_name | win:h16 name:text resultlen:i32
193 Win_set_attr | win:h16 keyval:h16
194 Win_set_name | win:h16 name:text
195 Alloc_mem | size:i32 info:h16
196 Comm_create_errhandler | errhandler:h16
197 Comm_get_errhandler | comm:comm errhandler:h16
198 Comm_set_errhandler | comm:comm errhandler:h16
199 File_create_errhandler | errhandler:h16
200 File_get_errhandler | file:h16 errhandler:h16
201 File_set_errhandler | file:h16 errhandler:h16
202 Finalized | flag:i32
203 Free_mem |
204 Get_address | address:i32
205 Info_create | info:h16
206 Info_delete | info:h16 key:text
207 Info_dup | oldinfo:h16 newinfo:h16
208 Info_free | info:h16
209 Info_get | info:h16 key:text valuelength:i32 value:text flag:i32
210 Info_get_nkeys | info:h16 nkeys:i32
211 Info_get_nthkey | info:h16 n:i32 key:text
212 Info_get_valuelen | info:h16 key:text valuelen:i32 flag:i32
213 Info_set | info:h16 key:text value:text
214 Pack_external | datarep:text incount:i32 intype:type outcount:i32 position.in:i32 position.out:i32
215 Pack_external_size | datarep:text incount:i32 datatype:type size:i32
216 Request_get_status | request:req flag:i32 status:status
217 Type_create_darray | size:i32 rank:i32 ndims:i32 gsizes:i32[] distribs:e8[] dargs:i32[] psizes:i32[] order:e8
    oldtype:type newtype:type
218 Type_create_hindexed | count:i32 blocklengths:i32[] displacements:i32[] oldtype:type newtype:type
219 Type_create_hvector | count:i32 blocklength:i32 stride:i32 oldtype:type newtype:type
220 Type_create_indexed_block | count:i32 blocklength:i32 displacments:i32[] oldtype:type newtype:type
221 Type_create_resized | oldtype:type lb:i32 extent:i32 newtype:type
222 Type_create_struct | count:i32 blocklengths:i32[] displacements:i32[] oldtypes:type[] newtype:type
223 Type_create_subarray | ndims:i32 sizes:i32[] subsizes:i32[] starts:i32[] order:e8 oldtype:type newtype:type
224 Type_get_extent | datatype:type lb:i32 extent:i32
225 Type_get_true_extent | datatype:type lb:i32 extent:i32
226 Unpack_external | datarep:text insize:i32 position.in:i32 position.out:i32 outcount:i32 datatype:type
227 Win_create_errhandler | errhandler:h16
228 Win_get_errhandler | win:h16 errhandler:h16
229 Win_set_errhandler | win:h16 errhandler:h16
230 File_open | comm:comm filename:text amode:e8 info:h16 file:h16
231 File_close | file:h16
232 File_delete | filename:text info:h16
233 File_set_size | file:h16 size:i64
234 File_preallocate | file:h16 size:i64
235 File_get_size | file:h16 size:i64
236 File_get_group | file:h16 group:h16
237 File_get_amode | file:h16 amode:e8
238 File_set_info | file:h16 info:h16
239 File_get_info | file:h16 info:h16
240 File_set_view | file:h16 offset:i64 hosttype:type filetype:type datarep:text info:h16
241 File_get_view | file:h16 offset:i64 hosttype:type filetype:type datarep:text
242 File_read_at | file:h16 offset:i64 count:i32 datatype:type status:status
243 File_read_at_all | file:h16 offset:i64 count:i32 datatype:type status:status
244 File_write_at | file:h16 offset:i64 count:i32 datatype:type status:status
245 File_write_at_all | file:h16 offset:i64 count:i32 datatype:type status:status
246 File_iread_at | file:h16 offset:i64 count:i32 datatype:type request:req
247 File_iwrite_at | file:h16 offset:i64 count:i32 datatype:type request:req
248 File_read | file:h16 count:i32 datatype:type status:status
249 File_read_all | file:h16 count:i32 datatype:type status:status
250 File_write | file:h16 count:i32 datatype:type status:status
251 File_write_all | file:h16 count:i32 datatype:type status:status
252 File_iread | file:h16 count:i32 datatype:type request:req
253 File_iwrite | file:h16 count:i32 datatype:type request:req
254 File_seek | file:h16 offset:i64 whence:e8
255 File_get_position | file:h16 offset:i64
256 File_get_byte_offset | file:h16 offset:i64 bytes:i64
257 File_read_shared | file:h16 count:i32 datatype:type status:status
258 File_write_shared | file:h16 count:i32 datatype:type status:status
259 File_iread_shared | file:h16 count:i32 datatype:type request:req
260 File_iwrite_shared | file:h16 count:i32 datatype:type request:req
261 File_read_ordered | file:h16 count:i32 datatype:type status:status
262 File_write_ordered | file:h16 count:i32 datatype:type status:status
263 File_seek_shared | file:h16 offset:i64 whence:e8
264 File_get_position_shared | file:h16 offset:i64
265 File_read_at_all_begin | file:h16 offset:i64 count:i32 datatype:type
266 File_read_at_all_end | file:h16 status:status
267 File_write_at_all_begin | file:h16 offset:i64 count:i32 datatype:type
268 File_write_at_all_end | file:h16 status:status
269 File_read_all_begin | file:h16 count:i32 datatype:type
270 File_read_all_end | file:h16 status:status
271 File_write_all_begin | file:h16 count:i32 datatype:type
272 File_write_all_end | file:h16 status:status
273 File_read_ordered_begin | file:h16 count:i32 datatype:type
274 File_read_ordered_end | file:h16 status:status
275 File_write_ordered_begin | file:h16 count:i32 datatype:type
276 File_write_ordered_end | file:h16 status:status
277 File_get_type_extent | file:h16 datatype:type extent:i32
278 Register_datarep | name:text
279 File_set_atomicity | file:h16 flag:i32
280 File_get_atomicity | file:h16 flag:i32
281 File_sync | file:h16
291 Function_enter | fn:i64
292 Function_exit | fn:i64
`

/** Number of the end mark, and of the sum over all calls in the footer. */
export const END_OF_STREAM = 293
export const ALL_CALLS = 290
/** Number of call counters in the footer. */
export const COUNTED = 291

export const Code = {
  I32: 1,
  U16: 2,
  U8: 3,
  I64: 4,
  TEXT: 5,
  I32S: 6,
  U16S: 7,
  U8S: 8,
  TEXTS: 9,
  TEXT_ROWS: 10,
  I32_ROWS: 11,
  STATUS: 12,
  ARGC_TEXTS: 13,
} as const
/** Flag in the code of a field that only the root has. */
export const AT_ROOT = 0x40

const codes: Readonly<Record<string, number>> = {
  i32: Code.I32,
  req: Code.I32,
  type: Code.U16,
  comm: Code.U16,
  h16: Code.U16,
  e8: Code.U8,
  i64: Code.I64,
  text: Code.TEXT,
  "i32[]": Code.I32S,
  "req[]": Code.I32S,
  "type[]": Code.U16S,
  "h16[]": Code.U16S,
  "e8[]": Code.U8S,
  "text[]": Code.TEXTS,
  "text[][]": Code.TEXT_ROWS,
  "i32[][]": Code.I32_ROWS,
  status: Code.STATUS,
  "text*argc": Code.ARGC_TEXTS,
}

export interface Call {
  readonly name: string
  readonly fields: readonly string[]
  /** One of Code for each field, with AT_ROOT. */
  readonly codes: Uint8Array
  /** Indices of the caller's rank and of the root among the ints of a record, if fields depend on them. */
  readonly self: number
  readonly root: number
}

/** The calls by number; undefined where no record can exist. */
export const calls: readonly (Call | undefined)[] = read()

function read(): (Call | undefined)[] {
  const made: (Call | undefined)[] = new Array(END_OF_STREAM).fill(undefined)
  // a line that starts with a space continues the one before
  for (const line of table.trim().replaceAll(/\n +/g, " ").split("\n")) {
    const [head = "", rest = ""] = line.split("|")
    const [number, name = ""] = head.trim().split(" ")
    const words = rest.trim() === "" ? [] : rest.trim().split(" ")
    const parts = words.map((w) => ({ root: w.startsWith("@root:"), parts: w.replace("@root:", "").split(":") }))
    const fields = parts.map((p) => p.parts[0])
    made[Number(number)] = {
      name,
      fields,
      codes: Uint8Array.from(parts, (p) => codes[p.parts[1]] | (p.root ? AT_ROOT : 0)),
      self: fields.findIndex((f) => f === "commrank" || f === "oldcommrank"),
      root: fields.indexOf("root"),
    }
  }
  return made
}

export const callNames: readonly string[] = Array.from({ length: COUNTED }, (_, i) =>
  i === ALL_CALLS ? "ALL_FUNCTIONS" : i === 128 ? "Pcontrol" : (calls[i]?.name ?? `MPIO_${i}`),
)

const numbers = new Map(callNames.map((name, i) => [name, i]))
/** Returns the number of a call by its name. */
export function numberOfCall(name: string): number {
  return numbers.get(name)!
}
