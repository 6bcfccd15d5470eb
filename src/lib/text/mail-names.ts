/** What mail programs make a link of: an address of a page, of mail or of a machine, also with dots of other scripts. */
const ADDRESS = /@|\/\/|\\\\|\bwww\b|\bxn--|\p{L}:\/?\S|[\p{L}\p{N}][.\u3002][\p{L}\p{N}]|\d+[.:]\d+/iu
/** What stands between letters and is not seen. */
const UNSEEN = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu
const REMOVED = '[address removed]'

/** Names of models have dots and an at sign in front: `gpt-3.5`, `@cf/meta/llama`. These are addresses all the same. */
const SURE_ADDRESS = /[^\s(]@|:?\/\/|\\\\|\bwww\.|\bxn--/iu

/** Returns a line about what a source says as the text of a mail shows it: on one line, and without addresses of pages. */
export const lineInMail = (line: string): string => cleaned(line, SURE_ADDRESS)

/** Returns a name that someone chose as the text of a mail shows it: on one line, and without anything that is an address. */
export const nameInMail = (name: string): string => cleaned(name, ADDRESS)

const cleaned = (text: string, address: RegExp): string =>
  text
    .normalize('NFKC')
    .replace(UNSEEN, '')
    .split(/[\s\p{Z}\p{Cc}]+/u)
    .filter((word) => word !== '')
    .map((word) => (address.test(word) ? REMOVED : word))
    .join(' ')
