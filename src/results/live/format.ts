// The format of links of the studio, which the studio and reports write. A newer one is rejected by an older studio.

/** Version of the link format. Version 1 has neither view nor selection. */
export const LINK_FORM = 2
/** Maximum characters of a fragment, which all browsers and mail programs accept. */
export const MOST_FRAGMENT = 8192
