import { Anchor, Stack, Text } from '@mantine/core'
import { CopiedValue } from './copied-value.tsx'
import { NarrowPage } from './narrow-page.tsx'

/** What a visitor of an installation without accounts reads: its operator alone can make the first one. */
export const NoAccountYet = () => (
  <NarrowPage
    title="No account exists yet"
    about="The first account is the operator of this installation. It is created with a link that is shown where the service runs, and nowhere else."
    below={
      <>
        The account exists by now? <Anchor href="/sign-in">Sign in</Anchor>
      </>
    }
  >
    <Stack gap="xs">
      <Text size="sm">The link is on the screen of npm start. This command prints a new one:</Text>
      <CopiedValue value="npx pricetape account link" label="the command" />
      <Text size="sm">In a container of the API:</Text>
      <CopiedValue value="node bin/pricetape.js account link" label="the command for containers" />
    </Stack>
  </NarrowPage>
)
