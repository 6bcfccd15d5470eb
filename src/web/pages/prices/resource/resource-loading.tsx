import { Button, SimpleGrid, Skeleton } from '@mantine/core'
import { Loading, Words } from '../../../components/loading/skeletons.tsx'
import { Page } from '../../../components/page.tsx'
import { Section } from '../../../components/section.tsx'
import { AsOfPicker, PastNotice } from '../as-of.tsx'

const [CARDS, CHARTS] = [4, 3]

/** The page of a resource while its prices are loading. */
export const ResourceLoading = ({ resource, asOf }: { resource: string; asOf: string | undefined }) => (
  <Page
    title={resource}
    about={<Words width={140} />}
    actions={
      <>
        <Button disabled>Watch</Button>
        <Button variant="default" disabled>
          Export
        </Button>
        <AsOfPicker asOf={asOf} />
      </>
    }
  >
    <Loading />
    <PastNotice asOf={asOf} />
    <SimpleGrid cols={{ base: 2, md: CARDS }} spacing="sm">
      {Array.from({ length: CARDS }, (_, card) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
        <Skeleton key={card} height={150} />
      ))}
    </SimpleGrid>
    <Section title="History" about={<Words width={360} />}>
      <SimpleGrid cols={{ base: 1, sm: 2, lg: CHARTS }} spacing="sm">
        {Array.from({ length: CHARTS }, (_, chart) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
          <Skeleton key={chart} height={244} />
        ))}
      </SimpleGrid>
    </Section>
  </Page>
)
