/**
 * The page of the HyperSpec for each symbol of COMMON-LISP. File names are irregular abbreviations, and symbols that are explained together
 * share a page. Every copy has these facts in its index, `Data/Map_Sym.txt`. No text of the index is included.
 *
 * Origin: the facts were read from the list in SLIME's hyperspec.el (GPL 2 or later), which also reads that index, and were rearranged by
 * page. Neither the code of that file nor its arrangement was copied. See decision 55.
 */

/** Entries separated by commas: a page in `Body` without `.htm`, followed by the symbols that it describes. */
const PAGES = `
  f_1pl_1_ 1+ 1-, f_abs abs, f_acons acons, f_add_me add-method, f_adjoin adjoin, f_adju_1 adjustable-array-p,
  f_adjust adjust-array, f_alloca allocate-instance, f_alpha_ alpha-char-p, f_alphan alphanumericp, f_append append,
  f_apply apply, f_apropo apropos apropos-list, f_ar_d_1 array-dimensions, f_ar_dim array-dimension, f_ar_dis
  array-displacement, f_ar_ele array-element-type, f_ar_has array-has-fill-pointer-p, f_ar_in_ array-in-bounds-p,
  f_ar_ran array-rank, f_ar_row array-row-major-index, f_ar_tot array-total-size, f_aref aref, f_arithm
  arithmetic-error-operands arithmetic-error-operation, f_arrayp arrayp, f_ash ash, f_asin_ acos asin atan, f_assocc
  assoc assoc-if assoc-if-not, f_boole boole, f_boundp boundp, f_break break, f_broadc broadcast-stream-streams,
  f_bt_and bit-and bit-andc1 bit-andc2 bit-eqv bit-ior bit-nand bit-nor bit-not bit-orc1 bit-orc2 bit-xor, f_bt_sb
  sbit, f_bt_vec bit-vector-p, f_butlas butlast nbutlast, f_by_by byte byte-position byte-size, f_call_n
  call-next-method, f_car_c caaaar caaadr caaar caadar caaddr caadr caar cadaar cadadr cadar caddar cadddr caddr cadr
  car cdaaar cdaadr cdaar cdadar cdaddr cdadr cdar cddaar cddadr cddar cdddar cddddr cdddr cddr cdr, f_cell_e
  cell-error-name, f_cerror cerror, f_char_ char schar, f_char_c char-code, f_char_i char-int, f_char_n char-name,
  f_char_u char-downcase char-upcase, f_chareq char-equal char-greaterp char-lessp char-not-equal char-not-greaterp
  char-not-lessp char/= char< char<= char= char> char>=, f_chg_cl change-class, f_chp characterp, f_cis cis, f_clas_1
  class-of, f_class_ class-name, f_clear_ clear-input, f_close close, f_clrhas clrhash, f_cmp compile, f_cmp__1
  compile-file-pathname, f_cmp_fi compile-file, f_cmp_ma compiler-macro-function, f_cmpd_f compiled-function-p,
  f_code_c code-char, f_coerce coerce, f_comp_1 compute-restarts, f_comp_3 complexp, f_comple complement, f_comput
  compute-applicable-methods, f_conc_1 concatenated-stream-streams, f_concat concatenate, f_conjug conjugate, f_cons_1
  constantly, f_consp consp, f_consta constantp, f_countc count count-if count-if-not, f_cp_ali copy-alist, f_cp_lis
  copy-list, f_cp_ppr copy-pprint-dispatch, f_cp_rdt copy-readtable, f_cp_seq copy-seq, f_cp_stu copy-structure,
  f_cp_sym copy-symbol, f_cp_tre copy-tree, f_dec_fl decode-float float-digits float-precision float-radix float-sign
  integer-decode-float scale-float, f_dec_un decode-universal-time, f_del_fi delete-file, f_del_pk delete-package,
  f_deposi deposit-field, f_desc_1 describe-object, f_descri describe, f_digi_1 digit-char-p, f_digit_ digit-char,
  f_dir directory, f_disass disassemble, f_docume compiler-macro documentation structure variable, f_dpb dpb, f_dribbl
  dribble, f_echo_s echo-stream-input-stream echo-stream-output-stream, f_ed ed, f_elt elt, f_encode
  encode-universal-time, f_endp endp, f_ensu_1 ensure-directories-exist, f_ensure ensure-generic-function, f_eq eq,
  f_eq_sle /= < <= = > >=, f_equal equal, f_equalp equalp, f_eval eval, f_evenpc evenp oddp, f_everyc every notany
  notevery some, f_exp_e exp expt, f_export export, f_fbound fboundp, f_fdefin fdefinition, f_file_a file-author,
  f_file_e file-error-pathname, f_file_l file-length, f_file_p file-position, f_file_s file-string-length, f_file_w
  file-write-date, f_fill fill, f_fill_p fill-pointer, f_find_ find find-if find-if-not, f_find_a find-all-symbols,
  f_find_c find-class, f_find_m find-method, f_find_p find-package, f_find_r find-restart, f_find_s find-symbol,
  f_finish clear-output finish-output force-output, f_firstc eighth fifth first fourth ninth second seventh sixth
  tenth third, f_floatp floatp, f_floorc ceiling fceiling ffloor floor fround ftruncate round truncate, f_fmakun
  fmakunbound, f_fn_kwd function-keywords, f_fn_lam function-lambda-expression, f_fnp functionp, f_format format,
  f_funcal funcall, f_gcd gcd, f_gensym gensym, f_gentem gentemp, f_get get, f_get__1 get-internal-run-time, f_get_in
  get-internal-real-time, f_get_ou get-output-stream-string, f_get_pr get-properties, f_get_se get-setf-expansion,
  f_get_un get-decoded-time get-universal-time, f_getf getf, f_gethas gethash, f_graphi graphic-char-p, f_hash_1
  hash-table-count, f_hash_2 hash-table-rehash-size, f_hash_3 hash-table-rehash-threshold, f_hash_4 hash-table-size,
  f_hash_5 hash-table-test, f_hash_t hash-table-p, f_identi identity, f_import import, f_in_stm input-stream-p
  output-stream-p, f_init_i initialize-instance, f_inspec inspect, f_inte_1 integerp, f_intege integer-length,
  f_intera interactive-stream-p, f_intern intern, f_invali invalid-method-error, f_invo_1 invoke-restart, f_invo_2
  invoke-restart-interactively, f_invoke invoke-debugger, f_isec_ intersection nintersection, f_kwdp keywordp, f_last
  last, f_lcm lcm, f_ld_log load-logical-pathname-translations, f_ldb ldb, f_ldb_te ldb-test, f_ldiffc ldiff tailp,
  f_length length, f_lisp_i lisp-implementation-type lisp-implementation-version, f_list_ list*, f_list_a
  list-all-packages, f_list_l list-length, f_listen listen, f_listp listp, f_load load, f_log log, f_logand logand
  logandc1 logandc2 logeqv logior lognand lognor lognot logorc1 logorc2 logxor, f_logbtp logbitp, f_logcou logcount,
  f_logica logical-pathname-translations, f_logtes logtest, f_mach_i machine-instance, f_mach_t machine-type, f_mach_v
  machine-version, f_macro_ macro-function, f_makunb makunbound, f_map map, f_map_in map-into, f_mapc_ mapc mapcan
  mapcar mapcon mapl maplist, f_maphas maphash, f_mask_f mask-field, f_max_m max min, f_mem_m member-if member-if-not,
  f_merge merge, f_merge_ merge-pathnames, f_meth_1 method-combination-error, f_method method-qualifiers, f_mexp_
  macroexpand macroexpand-1, f_minusp minusp plusp, f_mismat mismatch, f_mk_ar make-array, f_mk_bro
  make-broadcast-stream, f_mk_cnd make-condition, f_mk_con make-concatenated-stream, f_mk_dis
  make-dispatch-macro-character, f_mk_ech make-echo-stream, f_mk_has make-hash-table, f_mk_i_1
  make-instances-obsolete, f_mk_ins make-instance, f_mk_l_1 make-load-form-saving-slots, f_mk_ld_ make-load-form,
  f_mk_lis make-list, f_mk_pkg make-package, f_mk_pn make-pathname, f_mk_rnd make-random-state, f_mk_s_1
  make-string-input-stream, f_mk_s_2 make-string-output-stream, f_mk_seq make-sequence, f_mk_stg make-string, f_mk_sym
  make-symbol, f_mk_syn make-synonym-stream, f_mk_two make-two-way-stream, f_mod_r rem, f_name_c name-char, f_namest
  directory-namestring enough-namestring file-namestring host-namestring namestring, f_nconc nconc, f_next_m
  next-method-p, f_no_app no-applicable-method, f_no_nex no-next-method, f_nth nth, f_nthcdr nthcdr, f_numera
  denominator numerator, f_nump numberp, f_open open, f_open_s open-stream-p, f_pairli pairlis, f_pars_1
  parse-namestring, f_parse_ parse-integer, f_peek_c peek-char, f_phase phase, f_pkg__1 package-used-by-list, f_pkg_er
  package-error-package, f_pkg_na package-name, f_pkg_ni package-nicknames, f_pkg_sh package-shadowing-symbols,
  f_pkg_us package-use-list, f_pkgp packagep, f_pn_hos pathname-device pathname-directory pathname-host pathname-name
  pathname-type pathname-version, f_pn_mat pathname-match-p, f_pnp pathnamep, f_pos_p position position-if
  position-if-not, f_ppr_di pprint-dispatch, f_ppr_fi pprint-fill pprint-linear pprint-tabular, f_ppr_in
  pprint-indent, f_ppr_nl pprint-newline, f_ppr_ta pprint-tab, f_pr_not print-not-readable-object, f_pr_obj
  print-object, f_probe_ probe-file, f_procla proclaim, f_provid provide require, f_random random, f_rassoc rassoc
  rassoc-if rassoc-if-not, f_rati_1 rationalp, f_ration rationalize, f_rd_by read-byte, f_rd_c_1 read-char-no-hang,
  f_rd_cha read-char, f_rd_del read-delimited-list, f_rd_fro read-from-string, f_rd_lin read-line, f_rd_rd read
  read-preserving-whitespace, f_rd_seq read-sequence, f_rdta_1 readtablep, f_rdtabl readtable-case, f_realp realp,
  f_realpa imagpart realpart, f_reduce reduce, f_reinit reinitialize-instance, f_remhas remhash, f_rempro remprop,
  f_replac replace, f_rest rest, f_revapp nreconc revappend, f_revers nreverse reverse, f_rm_dup delete-duplicates
  remove-duplicates, f_rm_met remove-method, f_rm_rm delete delete-if delete-if-not remove remove-if remove-if-not,
  f_rn_fil rename-file, f_rn_pkg rename-package, f_rnd_st random-state-p, f_room room, f_row_ma row-major-aref,
  f_rplaca rplaca rplacd, f_rst_na restart-name, f_sbs_s nsubstitute nsubstitute-if nsubstitute-if-not substitute
  substitute-if substitute-if-not, f_search search, f_set set, f_set__1 get-dispatch-macro-character
  set-dispatch-macro-character, f_set_di nset-difference set-difference, f_set_ex nset-exclusive-or set-exclusive-or,
  f_set_ma get-macro-character set-macro-character, f_set_pp set-pprint-dispatch, f_set_sy set-syntax-from-char,
  f_shadow shadow, f_shared shared-initialize, f_shdw_i shadowing-import, f_short_ long-site-name short-site-name,
  f_signal signal, f_signum signum, f_sin_c cos sin tan, f_sinh_ acosh asinh atanh cosh sinh tanh, f_sleep sleep,
  f_slt_bo slot-boundp, f_slt_ex slot-exists-p, f_slt_ma slot-makunbound, f_slt_mi slot-missing, f_slt_un
  slot-unbound, f_slt_va slot-value, f_smp_bt simple-bit-vector-p, f_smp_cn simple-condition-format-arguments
  simple-condition-format-control, f_smp_st simple-string-p, f_smp_ve simple-vector-p, f_sort_ sort stable-sort,
  f_specia special-operator-p, f_sqrt_ isqrt sqrt, f_std_ch standard-char-p, f_stg_tr string-left-trim
  string-right-trim string-trim, f_stg_up nstring-capitalize nstring-downcase nstring-upcase string-capitalize
  string-downcase string-upcase, f_stgeq_ string-equal string-greaterp string-lessp string-not-equal
  string-not-greaterp string-not-lessp string/= string< string<= string= string> string>=, f_stgp stringp, f_stm_el
  stream-element-type, f_stm_er stream-error-stream, f_stm_ex stream-external-format, f_stmp streamp, f_sublis nsublis
  sublis, f_subseq subseq, f_subset subsetp, f_substc nsubst nsubst-if nsubst-if-not subst subst-if subst-if-not,
  f_subtpp subtypep, f_svref svref, f_sw_tpc software-type software-version, f_sxhash sxhash, f_symb_1
  symbol-function, f_symb_2 symbol-name, f_symb_3 symbol-package, f_symb_4 symbol-plist, f_symb_5 symbol-value,
  f_symbol symbolp, f_syn_st synonym-stream-symbol, f_terpri fresh-line terpri, f_tn truename, f_tp_err
  type-error-datum type-error-expected-type, f_tp_of type-of, f_tr_log translate-logical-pathname, f_tr_pn
  translate-pathname, f_tree_e tree-equal, f_two_wa two-way-stream-input-stream two-way-stream-output-stream, f_typep
  typep, f_unboun unbound-slot-instance, f_unexpo unexport, f_uninte unintern, f_unionc nunion union, f_unrd_c
  unread-char, f_unuse_ unuse-package, f_upda_1 update-instance-for-redefined-class, f_update
  update-instance-for-different-class, f_upgr_1 upgraded-array-element-type, f_upgrad upgraded-complex-part-type,
  f_upper_ both-case-p lower-case-p upper-case-p, f_use_pk use-package, f_user_h user-homedir-pathname, f_vals_l
  values-list, f_vec_po vector-pop, f_vec_ps vector-push vector-push-extend, f_vecp vectorp, f_warn warn, f_wild_p
  wild-pathname-p, f_wr_by write-byte, f_wr_cha write-char, f_wr_pr pprint prin1 princ print write, f_wr_seq
  write-sequence, f_wr_stg write-line write-string, f_wr_to_ prin1-to-string princ-to-string write-to-string, f_y_or_n
  y-or-n-p yes-or-no-p, f_zerop zerop, m_assert assert, m_call_m call-method make-method, m_case_ case ccase ecase
  otherwise, m_check_ check-type, m_cond cond, m_declai declaim, m_defcla defclass, m_defcon defconstant, m_defgen
  defgeneric, m_defi_1 define-symbol-macro, m_defi_2 define-modify-macro, m_defi_3 define-setf-expander, m_defi_4
  define-method-combination, m_defi_5 define-condition, m_define define-compiler-macro, m_defmac defmacro, m_defmet
  defmethod, m_defpar defparameter defvar, m_defpkg defpackage, m_defset defsetf, m_defstr defstruct, m_deftp deftype,
  m_defun defun, m_destru destructuring-bind, m_do_do do do*, m_do_sym do-all-symbols do-external-symbols do-symbols,
  m_dolist dolist, m_dotime dotimes, m_format formatter, m_hand_1 handler-case, m_handle handler-bind, m_ignore
  ignore-errors, m_in_pkg in-package, m_incf_ decf incf, m_loop loop, m_loop_f loop-finish, m_mult_1
  multiple-value-list, m_mult_2 multiple-value-setq, m_multip multiple-value-bind, m_nth_va nth-value, m_pop pop,
  m_ppr_ex pprint-exit-if-list-exhausted, m_ppr_lo pprint-logical-block, m_ppr_po pprint-pop, m_pr_unr
  print-unreadable-object, m_prog1c prog1 prog2, m_prog_ prog prog*, m_psetq psetq, m_pshnew pushnew, m_push push,
  m_remf remf, m_return return, m_rotate rotatef, m_rst_bi restart-bind, m_rst_ca restart-case, m_setf_ psetf,
  m_shiftf shiftf, m_step step, m_time time, m_tpcase ctypecase etypecase typecase, m_tracec trace untrace, m_w_acce
  with-accessors, m_w_cnd_ with-condition-restarts, m_w_comp with-compilation-unit, m_w_hash with-hash-table-iterator,
  m_w_in_f with-input-from-string, m_w_op_1 with-open-stream, m_w_open with-open-file, m_w_out_ with-output-to-string,
  m_w_pkg_ with-package-iterator, m_w_slts with-slots, m_w_smp_ with-simple-restart, m_w_std_ with-standard-io-syntax,
  m_when_ unless when, s_block block, s_catch catch, s_declar declare, s_eval_w eval-when, s_flet_ flet labels
  macrolet, s_go go, s_if if, s_ld_tim load-time-value, s_let_l let let*, s_locall locally, s_mult_1
  multiple-value-prog1, s_multip multiple-value-call, s_progn progn, s_progv progv, s_quote quote, s_ret_fr
  return-from, s_setq setq, s_symbol symbol-macrolet, s_tagbod tagbody, s_the the, s_throw throw, s_unwind
  unwind-protect, v__stst_ ** ***, v_ar_dim array-dimension-limit, v_ar_ran array-rank-limit, v_ar_tot
  array-total-size-limit, v_b_1_b boole-1 boole-2 boole-and boole-andc1 boole-andc2 boole-c1 boole-c2 boole-clr
  boole-eqv boole-ior boole-nand boole-nor boole-orc1 boole-orc2 boole-set boole-xor, v_break_ *break-on-signals*,
  v_call_a call-arguments-limit, v_char_c char-code-limit, v_cmp_fi *compile-file-pathname* *compile-file-truename*,
  v_cmp_pr *compile-print* *compile-verbose*, v_debug_ *debug-io* *error-output* *query-io* *standard-input*
  *standard-output* *trace-output*, v_debugg *debugger-hook*, v_defaul *default-pathname-defaults*, v_featur
  *features*, v_gensym *gensym-counter*, v_intern internal-time-units-per-second, v_lamb_1 lambda-parameters-limit,
  v_lambda lambda-list-keywords, v_ld_pns *load-pathname* *load-truename*, v_ld_prs *load-print* *load-verbose*,
  v_mexp_h *macroexpand-hook*, v_module *modules*, v_most_1 least-negative-double-float least-negative-long-float
  least-negative-normalized-double-float least-negative-normalized-long-float least-negative-normalized-short-float
  least-negative-normalized-single-float least-negative-short-float least-negative-single-float
  least-positive-double-float least-positive-long-float least-positive-normalized-double-float
  least-positive-normalized-long-float least-positive-normalized-short-float least-positive-normalized-single-float
  least-positive-short-float least-positive-single-float most-negative-double-float most-negative-long-float
  most-negative-short-float most-negative-single-float most-positive-double-float most-positive-long-float
  most-positive-short-float most-positive-single-float, v_most_p most-negative-fixnum most-positive-fixnum, v_multip
  multiple-values-limit, v_pi pi, v_pkg *package*, v_pl_plp ++ +++, v_pr_ar *print-array*, v_pr_bas *print-base*
  *print-radix*, v_pr_cas *print-case*, v_pr_cir *print-circle*, v_pr_esc *print-escape*, v_pr_gen *print-gensym*,
  v_pr_lev *print-length* *print-level*, v_pr_lin *print-lines*, v_pr_mis *print-miser-width*, v_pr_ppr
  *print-pprint-dispatch*, v_pr_pre *print-pretty*, v_pr_rda *print-readably*, v_pr_rig *print-right-margin*, v_rd_bas
  *read-base*, v_rd_def *read-default-float-format*, v_rd_eva *read-eval*, v_rd_sup *read-suppress*, v_rdtabl
  *readtable*, v_rnd_st *random-state*, v_short_ double-float-epsilon double-float-negative-epsilon long-float-epsilon
  long-float-negative-epsilon short-float-epsilon short-float-negative-epsilon single-float-epsilon
  single-float-negative-epsilon, v_sl_sls // ///, v_termin *terminal-io*, t_array array, t_ban boolean, t_base_c
  base-char, t_base_s base-string, t_bignum bignum, t_broadc broadcast-stream, t_bt_vec bit-vector, t_built_
  built-in-class, t_class class, t_cmpd_f compiled-function, t_concat concatenated-stream, t_echo_s echo-stream,
  t_extend extended-char, t_file_s file-stream, t_fixnum fixnum, t_generi generic-function, t_hash_t hash-table,
  t_intege integer, t_kwd keyword, t_method method, t_number number, t_pkg package, t_ratio ratio, t_rdtabl readtable,
  t_real real, t_rnd_st random-state, t_rst restart, t_satisf satisfies, t_seq sequence, t_sgn_by signed-byte,
  t_short_ double-float long-float short-float single-float, t_smp_ar simple-array, t_smp_ba simple-base-string,
  t_smp_bt simple-bit-vector, t_smp_st simple-string, t_smp_ve simple-vector, t_std_ch standard-char, t_std_cl
  standard-class, t_std_ge standard-generic-function, t_std_me standard-method, t_std_ob standard-object, t_stg_st
  string-stream, t_stream stream, t_stu_cl structure-class, t_stu_ob structure-object, t_symbol symbol, t_syn_st
  synonym-stream, t_two_wa two-way-stream, t_unsgn_ unsigned-byte, e_arithm arithmetic-error, e_cell_e cell-error,
  e_cnd condition, e_contro control-error, e_divisi division-by-zero, e_end_of end-of-file, e_file_e file-error,
  e_floa_1 floating-point-inexact, e_floa_2 floating-point-overflow, e_floa_3 floating-point-underflow, e_floati
  floating-point-invalid-operation, e_parse_ parse-error, e_pkg_er package-error, e_pr_not print-not-readable,
  e_progra program-error, e_rder_e reader-error, e_seriou serious-condition, e_smp_cn simple-condition, e_smp_er
  simple-error, e_smp_tp simple-type-error, e_smp_wa simple-warning, e_stm_er stream-error, e_storag
  storage-condition, e_style_ style-warning, e_tp_err type-error, e_unbo_1 unbound-variable, e_unboun unbound-slot,
  e_undefi undefined-function, e_warnin warning, d_declar declaration, d_dynami dynamic-extent, d_ftype ftype,
  d_ignore ignorable ignore, d_inline inline notinline, d_optimi compilation-speed debug optimize safety space speed,
  d_specia special, a__ -, a_abort abort, a_and and, a_atom atom, a_bit bit, a_ch character, a_comple complex, a_cons
  cons, a_contin continue, a_eql eql, a_error error, a_float float, a_fn function, a_lambda lambda, a_list list,
  a_logica logical-pathname, a_member member, a_method method-combination, a_mod mod, a_muffle muffle-warning, a_nil
  nil, a_not not, a_null null, a_or or, a_pl +, a_pn pathname, a_ration rational, a_setf setf, a_sl /, a_st *,
  a_store_ store-value, a_string string, a_t t, a_type type, a_use_va use-value, a_values values, a_vector vector,
  03_da &allow-other-keys &aux &key &optional &rest, 03_dd &body &environment &whole, 07_ffb standard
`;

/** The kinds of pages, by the first letters of their names. */
const KINDS: Readonly<Record<string, string>> = {
  f_: 'function',
  m_: 'macro',
  s_: 'special operator',
  v_: 'variable or constant',
  t_: 'type',
  e_: 'condition type',
  d_: 'declaration',
  a_: 'several meanings',
  '03': 'lambda list keyword',
  '07': 'method combination',
};

/** The page names, by symbol in lower case. */
const pageBySymbol: ReadonlyMap<string, string> = new Map(
  PAGES.split(',').flatMap((entry) => {
    const [page, ...symbols] = entry.trim().split(/\s+/);
    return symbols.map((symbol) => [symbol, page!] as const);
  }),
);

/** Returns the page for a standard symbol in lower case, such as `f_car_c.htm`; null for any other symbol. */
export function symbolPage(symbol: string): string | null {
  const page = pageBySymbol.get(symbol);
  return page === undefined ? null : `${page}.htm`;
}

/** Returns the kind of a standard symbol, such as "macro"; null for any other symbol. */
export function symbolKind(symbol: string): string | null {
  return KINDS[pageBySymbol.get(symbol)?.slice(0, 2) ?? ''] ?? null;
}
