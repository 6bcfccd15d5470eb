import { AppError } from '../../../lib/errors.ts'

export const invalidLink = (): AppError =>
  new AppError('invalid_link', 'This link was used, was replaced by a newer one, or has expired: request a new one.', {
    field: 'token',
  })
