// Written by "npm run generate" from contract.ts.
import { endpoint } from '../endpoint.ts'

export const signUp = endpoint('POST', '/v1/sign-up')
export const createAccount = endpoint('POST', '/v1/account')
export const readAccount = endpoint('GET', '/v1/account')
export const renameAccount = endpoint('PATCH', '/v1/account')
export const deleteAccount = endpoint('DELETE', '/v1/account')
export const changePassword = endpoint('PUT', '/v1/account/password')
export const changeEmail = endpoint('PUT', '/v1/account/email')
export const requestVerification = endpoint('POST', '/v1/account/verification')
export const verifyEmail = endpoint('POST', '/v1/account/verification/confirm')
export const requestPasswordReset = endpoint('POST', '/v1/password-reset')
export const resetPassword = endpoint('POST', '/v1/password-reset/confirm')
