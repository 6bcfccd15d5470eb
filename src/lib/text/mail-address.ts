import { z } from 'zod'

/** An address with the name that mail programs show beside it. */
export type MailAddress = { name: string; address: string }

export const isMailAddress = (text: string): boolean => z.email().safeParse(text).success

/** Reads `someone@example.com` or `Some One <someone@example.com>`. Returns undefined for anything else. */
export function readMailAddress(text: string): MailAddress | undefined {
  const named = /^([^<>"\p{Cc}]+?) *<([^<>]+)>$/u.exec(text)
  const [name, address] = named ? [named[1]!, named[2]!] : ['', text]
  return isMailAddress(address) ? { name, address } : undefined
}
