import { Anchor, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { NarrowPage } from '../narrow-page.tsx'
import { CopiedValue } from '../values/copied-value.tsx'

/** What a visitor of an installation without accounts reads: its operator alone can make the first one. */
export const NoAccountYet = ({ children }: { children?: ReactNode }) => (
  <NarrowPage
    title="No account exists yet"
    about="The first account operates this installation. The link to create it is shown only where the service runs."
    below={
      <>
        Account already created? <Anchor href="/sign-in">Sign in</Anchor>
      </>
    }
  >
    <Stack gap="xs">
      <Text size="sm">npm start prints the link. To print a new one, run:</Text>
      <CopiedValue value="npx pricetape account link" label="the command" />
      <Text size="sm">In an API container:</Text>
      <CopiedValue value="node bin/pricetape.js account link" label="the command for containers" />
      {children}
    </Stack>
  </NarrowPage>
)
