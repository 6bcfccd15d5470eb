/** What mail programs make a link of: an address of a page, of mail or of a machine, also with dots of other scripts. */
const ADDRESS = /@|\/\/|\\\\|\bwww\b|\bxn--|\p{L}:\/?\S|[\p{L}\p{N}][.\u3002][\p{L}\p{N}]|\d+[.:]\d+/iu
/** What stands between letters and is not seen. */
const UNSEEN = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu
const REMOVED = '[address removed]'

/** Returns a name that someone chose as the text of a mail shows it: on one line, and without anything that is an address. */
export const nameInMail = (name: string): string =>
  name
    .normalize('NFKC')
    .replace(UNSEEN, '')
    .split(/[\s\p{Z}\p{Cc}]+/u)
    .filter((word) => word !== '')
    .map((word) => (ADDRESS.test(word) ? REMOVED : word))
    .join(' ')
