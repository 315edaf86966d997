/** Well-formed input of each call about passkeys. */
export function passkeyInputs(token: string) {
  const made = { id: 'AA', clientDataJSON: 'AA', attestationObject: 'AA' }
  const proof = { id: 'AA', clientDataJSON: 'AA', authenticatorData: 'AA', signature: 'AA' }
  return {
    '/api/passkey/startUse': { token: '', input: {} },
    '/api/passkey/signIn': { token: '', input: { passkey: proof } },
    '/api/passkey/startAdding': { token, input: {} },
    '/api/passkey/finishAdding': { token, input: { passkey: made } },
    '/api/passkey/remove': { token, input: { payload: { id: 1 } } },
  }
}
