import type { Door } from '../phone/door.ts'
import { ScannerLayout, useScannerFrame } from './ScannerLayout.tsx'
import { useVouchers } from './use-vouchers.ts'
import { VoucherUnits } from './VoucherUnits.tsx'

/** The scanner of vouchers: the code of a voucher or of its ticket shows what is left, and a tap redeems it. */
export function VoucherScanner({ door, opensOffline }: { door: Door; opensOffline: boolean }) {
  const frame = useScannerFrame(door)
  const scanner = useVouchers(door, frame.isPaused)
  const { chosen, isBusy, choose, give, leave } = scanner
  return (
    <ScannerLayout
      {...{ door, opensOffline, frame, scanner }}
      variant="voucher"
      onPick={choose}
      isCovered={chosen !== null}
    >
      {chosen && <VoucherUnits {...{ door, chosen, isBusy }} onGive={give} onClose={leave} />}
    </ScannerLayout>
  )
}
