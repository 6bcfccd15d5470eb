/** Where this tab keeps what is typed into a form. */
export const keyOf = (name: string): string => `pricetape.draft.${name}`

/** Who typed what is kept. */
const TYPED_BY = 'pricetape.typed-by'

export const dropDraft = (name: string): void => sessionStorage.removeItem(keyOf(name))

/** Drops what is kept, for someone who leaves. */
export function dropDrafts(): void {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(keyOf(''))) sessionStorage.removeItem(key)
}

/** Notices who uses this tab. Whatever way the person before them went, no one reads what another one typed. */
export function draftsOf(accountId: string): void {
  if (sessionStorage.getItem(TYPED_BY) === accountId) return
  dropDrafts()
  sessionStorage.setItem(TYPED_BY, accountId)
}
