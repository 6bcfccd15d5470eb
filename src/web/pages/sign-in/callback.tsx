import { Stack } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { answerOnce, endVisit } from '../../api/connection/provider-visit.ts'
import { sessionEnded } from '../../api/connection/session-ended.ts'
import { linkIdentity, signInWithProvider } from '../../api/identities.ts'
import { ButtonLink, TextLink } from '../../components/links.tsx'
import { NarrowLoading } from '../../components/loading/skeletons.tsx'
import { NarrowPage } from '../../components/narrow-page.tsx'
import { Failure } from '../../components/states/failure.tsx'

/** Where the identity provider sends people back to: they are signed in, or linked, and go on. */
export function ProviderCallback() {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const [failed, setFailed] = useState<{ error: Error; links: boolean }>()
  const isSent = useRef(false)
  useEffect(() => {
    if (isSent.current) return
    isSent.current = true
    const { links, next } = endVisit()
    const answer = answerOnce()
    const finish = async () => {
      // The page was opened again, or by hand.
      if (answer === '') return navigate({ to: '/sign-in', replace: true })
      await (links ? linkIdentity(answer) : signInWithProvider(answer))
      sessionEnded.signedIn()
      queryClient.clear()
      if (links) notifications.show({ message: 'Your account is linked.' })
      await navigate({ href: next, replace: true })
    }
    finish().catch((error: Error) => setFailed({ error, links }))
  }, [navigate, queryClient])
  if (!failed) return <NarrowLoading />
  return (
    <NarrowPage
      title={failed.links ? 'Link your account' : 'Sign in'}
      below={failed.links && <TextLink to="/account">Back to your account</TextLink>}
    >
      <Stack>
        <Failure title={failed.links ? 'Account not linked' : 'Not signed in'} error={failed.error} />
        {!failed.links && <ButtonLink to="/sign-in">Back to sign-in</ButtonLink>}
      </Stack>
    </NarrowPage>
  )
}
