/** A workspace can be created while the user belongs to fewer than this, invited ones included (specification, Limits). */
export const MAX_WORKSPACES = 3
