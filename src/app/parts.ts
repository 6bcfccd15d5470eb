import { z } from 'zod'
import { role } from '../accounts/members/member-schema.ts'
import { newPassword } from '../accounts/users/password-rules.ts'
import { parseInstant } from '../lib/instant.ts'
import { storableJson } from '../lib/storable-input.ts'

export const instant = z.string().meta({ format: 'date-time' })
/** An instant that a request names. */
export const askedInstant = z.string().transform((text, context) => {
  const parsed = parseInstant(text)
  if (parsed) return parsed
  context.addIssue('is an RFC 3339 instant such as 2026-08-01T00:00:00Z')
  return z.NEVER
})
/** A parameter that holds JSON. */
export const inJson = <T extends z.ZodType>(schema: T, problem: string) =>
  z.string().transform((text, context): z.output<T> => {
    const parsed = schema.safeParse(storableJson(text))
    if (parsed.success) return parsed.data
    context.addIssue(problem)
    return z.NEVER
  })
/** Lists and what is created name their workspace, so that two tabs can show two. */
export const inWorkspace = z.strictObject({ workspace: z.string() })
/** The secret of a link: what stands behind `#token=`. */
export const linkToken = z.string().min(1, 'is missing').max(200, 'is not a valid token')
/** A code of an authenticator app, or a recovery code, as people type it. */
export const typedCode = z.string().trim().min(1, 'enter the code').max(40, 'is not a code')
export const name = z.string()
export { newPassword, role }

export const accountAnswer = z.object({
  accountId: z.string(),
  email: z.string(),
  name: z.string(),
  operator: z.boolean(),
  emailVerifiedAt: instant.nullable(),
  createdAt: instant,
})

export const membership = z.object({ workspaceId: z.string(), name: z.string(), role, createdAt: instant })

/** A row of the price history of one provider, for operators. `pricingTier` is canonical JSON. */
export const pricedRow = {
  contentHash: z.string(),
  source: z.string(),
  resource: z.string(),
  dimension: z.string(),
  unit: z.string(),
  currency: z.string(),
  pricingTier: z.string(),
  price: z.string(),
}
