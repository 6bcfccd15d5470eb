import encodeQR from 'qr'

/** Cameras need a margin of four modules. */
const QUIET = 4

/** A text as a QR code: dark on white in the dark too, because cameras want it so. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border: QUIET })
  const path = rows.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join('')
  return (
    <svg viewBox={`0 0 ${rows.length} ${rows.length}`} width={200} height={200} role="img" aria-label={label}>
      <rect width="100%" height="100%" fill="#fff" rx={1} />
      <path d={path} fill="#000" shapeRendering="crispEdges" />
    </svg>
  )
}
