import { type BoardPhone, boardApi } from '../../src/contract/board.ts'
import { callAt } from '../support/remote.ts'

interface Phone {
  token: string
  name: string
  practisedAgoS: number | null
  fields: Partial<Omit<BoardPhone, 'practisedAt'>>
}

/** Reports of phones at the door in each state; the last one is silent afterwards. */
export function makePhones(url: string, eventId: number, tokens: { admin: string; helper: string; pass: string }) {
  const report = ({ token, name, practisedAgoS, fields }: Phone) => {
    const { practised = [], ...others } = fields
    const payload = {
      eventId,
      device: { id: name, name },
      listAgeS: 2,
      worksOffline: true,
      camera: 'seen' as const,
      sound: 'on' as const,
      isShown: true,
      queued: 0,
      stuck: 0,
      scans: 84,
      recentScans: 21,
      recentByScanner: 0,
      battery: 76,
      isCharging: false,
      isPractising: false,
      practised,
      practisedAgoS,
      ...others,
    }
    return callAt(url, boardApi.reportPhone, { payload }, token)
  }
  const all = ['valid', 'already', 'cancelled', 'unpaid', 'other', 'voucher', 'unknown'] as const
  const { admin, helper, pass } = tokens
  const live: Phone[] = [
    { token: admin, name: 'Main door', practisedAgoS: 4000, fields: { practised: [...all] } },
    {
      token: helper,
      name: 'Bar',
      practisedAgoS: null,
      fields: { sound: 'blocked', scans: 0, recentScans: 0, battery: 14 },
    },
    {
      token: pass,
      name: 'Phone 7F2A',
      practisedAgoS: 60,
      fields: { practised: ['valid', 'already'], isPractising: true },
    },
  ]
  const silent: Phone = { token: helper, name: 'Back door', practisedAgoS: null, fields: { queued: 3, battery: null } }
  return {
    reportLive: () => Promise.all(live.map(report)),
    reportSilent: () => report(silent),
  }
}
