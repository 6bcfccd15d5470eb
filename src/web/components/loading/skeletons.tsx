import { Skeleton, Stack, Text, VisuallyHidden } from '@mantine/core'

/** Says to those who do not see the skeletons that something is loading. */
export const Loading = () => <VisuallyHidden role="status" aria-label="Loading" />

/** Beside the heading of what is of another instant or version until the wanted one is read. */
export const Reloading = () => (
  <Text size="sm" c="dimmed" role="status">
    loading
  </Text>
)

/** In the place of words that are loading, in their line. */
export const Words = ({ width = 120 }: { width?: number }) => (
  <Skeleton {...AS_SPAN} display="inline-block" height="0.8em" width={width} maw="100%" />
)
/** A text may stand in a paragraph or a heading. */
const AS_SPAN = { component: 'span' } as object

/** In the place of something this high. */
export const Placeholder = ({ height }: { height: number }) => (
  <Skeleton height={height} role="status" aria-label="Loading" />
)

/** A screen of them. */
const ROWS = 15
/** The shape of most pages while their code is loaded: a heading, filters, rows. */
export const PageLoading = () => (
  <Stack gap="lg" maw={1200} mx="auto" role="status" aria-label="Loading">
    <div>
      <Skeleton height={34} width={220} />
      <Skeleton height={18} width={480} maw="100%" mt="xs" />
    </div>
    <Skeleton height={36} width={420} maw="100%" />
    <Stack gap="md">
      {Array.from({ length: ROWS }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
        <Skeleton key={row} height={26} />
      ))}
    </Stack>
  </Stack>
)

/** The shape of a page for someone who is not signed in. */
export const NarrowLoading = () => (
  <Stack w="100%" maw={420} mih="100dvh" mx="auto" p="md" justify="center" role="status" aria-label="Loading">
    <Skeleton height={30} width={150} />
    <Skeleton height={280} />
  </Stack>
)
