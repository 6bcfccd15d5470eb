import { useQuery } from '@tanstack/react-query'
import { type ComponentProps, Suspense } from 'react'
import { visitorQuery } from '../../api/account.ts'
import { lazyPart } from '../loading/lazy-part.ts'
import { passkeysWorkHere } from './device-texts.ts'

const PasskeySignIn = lazyPart(() => import('./passkey-sign-in.tsx'))

/** The sign-in with a passkey, where this browser and this installation have it; elsewhere nothing. */
export function PasskeyPart(props: ComponentProps<typeof PasskeySignIn>) {
  const { data: visitor } = useQuery(visitorQuery)
  if (!visitor || !passkeysWorkHere(visitor.passkeyHost)) return null
  return (
    <Suspense>
      <PasskeySignIn {...props} />
    </Suspense>
  )
}
