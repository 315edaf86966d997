import { useState } from 'react'
import type { Endpoint, Input, Payload } from '../../contract/endpoint.ts'
import { Refusal } from '../../contract/errors.ts'
import { type CallOptions, call } from './call.ts'

interface Sending {
  isPending: boolean
  isSuccess: boolean
  error: Refusal | null
}

const idle: Sending = { isPending: false, isSuccess: false, error: null }

/**
 * Writing from a public page: sends one call and tracks its state. Staff pages show much of what they write, so they use `useCall`,
 * which causes everything shown to be read again.
 */
export function useSend<E extends Endpoint>(endpoint: E, options: CallOptions = {}) {
  const [state, setState] = useState(idle)
  async function send(input: Input<E>): Promise<Payload<E>> {
    setState({ ...idle, isPending: true })
    try {
      const payload = await call(endpoint, input, options)
      setState({ ...idle, isSuccess: true })
      return payload
    } catch (error) {
      setState({ ...idle, error: error instanceof Refusal ? error : null })
      throw error
    }
  }
  return { ...state, send }
}
