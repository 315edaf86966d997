import type { Door } from '../phone/door.ts'
import { ScannerLayout, useScannerFrame } from './ScannerLayout.tsx'
import { useVouchers } from './use-vouchers.ts'
import { VoucherUnits } from './VoucherUnits.tsx'

/** The scanner of vouchers: a voucher's code, or its ticket's, shows what is left of it, and a tap redeems it. */
export function VoucherScanner({ door, isKept }: { door: Door; isKept: boolean }) {
  const frame = useScannerFrame(door)
  const scanner = useVouchers(door, frame.isPaused)
  const { chosen, isBusy, choose, give, leave } = scanner
  return (
    <ScannerLayout {...{ door, isKept, frame, scanner }} variant="voucher" onPick={choose} isCovered={chosen !== null}>
      {chosen && <VoucherUnits {...{ door, chosen, isBusy }} onGive={give} onClose={leave} />}
    </ScannerLayout>
  )
}
