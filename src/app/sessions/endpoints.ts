// Written by "npm run generate" from contract.ts.
import { endpoint } from '../endpoint.ts'

export const signIn = endpoint('POST', '/v1/sessions')
export const readSession = endpoint('GET', '/v1/session')
export const listSessions = endpoint('GET', '/v1/sessions')
export const signOut = endpoint('DELETE', '/v1/sessions/current')
export const endSession = endpoint('DELETE', '/v1/sessions/:sessionId')
export const signOutEverywhere = endpoint('DELETE', '/v1/sessions')
