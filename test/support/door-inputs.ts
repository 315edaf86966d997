/** Well-formed input of each call about the door of this event, with the id of a registration. */
export function doorInputs(token: string, eventId: number, id: number) {
  return {
    '/api/checkin/scanByRegistrationId': {
      token,
      input: {
        payload: {
          qrCodeData: '{"id":1,"qrUuid":"x"}',
          eventId,
          scanId: crypto.randomUUID(),
          scannedAt: '2026-11-20T18:00:00Z',
          device: 'Gate',
        },
      },
    },
    '/api/checkin/syncScans': {
      token,
      input: {
        payload: {
          eventId,
          device: { id: 'abcd', name: 'Gate' },
          scans: [
            {
              scanId: crypto.randomUUID(),
              act: { kind: 'code', qrCodeData: '{"id":1,"qrUuid":"x"}' },
              agoMs: 0,
              wasShownIn: false,
            },
          ],
        },
      },
    },
    '/api/checkin/reportPhone': {
      token,
      input: {
        payload: {
          eventId,
          device: { id: 'abcd', name: 'Gate' },
          ...{ listAgeS: 2, worksOffline: true, camera: 'seen', sound: 'on', isShown: true },
          ...{ queued: 0, stuck: 0, scans: 0, recentScans: 0, recentByScanner: 0, battery: 80, isCharging: false },
          ...{ isPractising: false, practised: ['valid'], practisedAgoS: 3 },
        },
      },
    },
    '/api/checkin/giveWalkInPlaces': {
      token,
      input: { payload: { eventId, phoneId: 'abcd', places: 2, isLost: true } },
    },
    '/api/checkin/confirmWalkInPlaces': {
      token,
      input: { payload: { eventId, device: { id: 'x', name: 'y' }, granted: 2 } },
    },
    '/api/checkin/readPaper': { token, input: { payload: { eventId, codes: ['42', 'x'] } } },
    '/api/checkin/checkInFromPaper': {
      token,
      input: { payload: { eventId, scanId: crypto.randomUUID(), registrationIds: [id] } },
    },
    '/api/checkin/seeConflicts': { token, input: { payload: { eventId, scanIds: [crypto.randomUUID()] } } },
    '/api/checkin/addFromConflict': {
      token,
      input: {
        payload: {
          ...{ eventId, scanId: crypto.randomUUID(), ticketTypeId: 1, extrasIds: [1] },
          registrationData: { name: 'Ada', email: '', phone: '', others: [] },
        },
      },
    },
    '/api/checkin/save': { token, input: { payload: { newCheckin: { registrationId: id, status: false }, eventId } } },
  }
}
