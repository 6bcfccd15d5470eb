import { Button, SimpleGrid, Skeleton, Text, Title } from '@mantine/core'
import type { Webhook } from '../../api/webhooks.ts'
import { Words } from '../../components/loading/skeletons.tsx'
import { Page } from '../../components/page.tsx'

const ATTEMPTS = 6

/** The page of a delivery while it is loading. */
export const DeliveryLoading = ({ webhookId, webhook }: { webhookId: string; webhook: Webhook | undefined }) => (
  <Page
    title={undefined}
    about={
      <>
        <Words width={640} /> <Words width={280} />
        <Text span display="block" size="xs" ff="monospace" mt={2}>
          <Words width={280} />
        </Text>
      </>
    }
    back={{ to: '/webhooks/$webhookId', params: { webhookId }, label: webhook?.name }}
    actions={<Button disabled>Resend</Button>}
  >
    <Skeleton height={86} />
    <section>
      <Title order={2} size="h4" mb="xs">
        Retry schedule
      </Title>
      <SimpleGrid cols={{ base: 2, sm: 3, lg: ATTEMPTS }} component="ol" p={0} m={0} style={{ listStyle: 'none' }}>
        {Array.from({ length: ATTEMPTS }, (_, attempt) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
          <li key={attempt}>
            <Skeleton height={130} />
          </li>
        ))}
      </SimpleGrid>
    </section>
    <Skeleton height={240} />
  </Page>
)
