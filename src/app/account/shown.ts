import type { z } from 'zod'
import type { Account } from '../../accounts/users/account-schema.ts'
import type { accountAnswer } from '../parts.ts'

/** An account as its owner sees it. */
export const shownAccount = ({ disabledAt: _, ...account }: Account): z.input<typeof accountAnswer> => account
