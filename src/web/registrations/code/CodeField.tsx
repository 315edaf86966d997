import { type KeyboardEvent, useCallback, useEffect, useRef, useState } from 'react'
import { Refusal } from '../../../contract/errors.ts'
import type { Event } from '../../../contract/event.ts'
import { sayIn } from '../../../contract/own-words.ts'
import { type TicketType, visitorTicketTypeApi } from '../../../contract/ticket-type.ts'
import { formatPrice } from '../../../contract/values/money.ts'
import * as texts from '../../../texts/generated/registration.ts'
import { call } from '../../api/call.ts'
import { useRenderedPage } from '../../rendered-page.ts'
import { Field } from '../../ui/forms/Field.tsx'
import { CODE, type UsedCode } from '../typed.ts'
import styles from './CodeField.module.css'

export interface CodeFieldProps {
  event: Event
  /** Those that everybody can buy. */
  ticketTypes: readonly TicketType[]
  /** What was typed before; empty for nothing. */
  drafted: string
  /** The code in use, with the ticket types as they are with it; null for none. */
  used: UsedCode | null
  /** Whether there are tickets to be had without one. */
  isOptional: boolean
  error: string | undefined
  onUse: (used: UsedCode | null) => void
  onWrong: (message: string | undefined) => void
}

/**
 * Where a visitor types a code, or whose link brings one. While one is in use, it says so instead. Whether it can be used is only decided
 * when the form is sent. Loaded separately, because most events have no codes.
 */
export function CodeField({ event, drafted, used, isOptional, error, ...props }: CodeFieldProps) {
  const { address } = useRenderedPage()
  const { apply, isBusy } = useApply(event, props)
  const place = useRef<HTMLDivElement>(null)
  const [isRemoved, setRemoved] = useState(false)
  const [typed, setTyped] = useState(drafted)
  const [isOpen, setOpen] = useState(!isOptional || error !== undefined)

  useApplied(props.ticketTypes, used, apply)
  // Runs after the first render, which has to match the server's: it does not know the code of a link.
  const first = useRef(drafted)
  const isRead = useRef(false)
  useEffect(() => {
    if (isRead.current) return
    isRead.current = true
    const code = new URL(address, 'http://here').searchParams.get(CODE)?.trim() || first.current
    if (code === '') return
    setTyped(code)
    setOpen(true)
    void apply(code)
  }, [address, apply])
  useEffect(() => {
    if (isRemoved) place.current?.querySelector('input')?.focus()
  }, [isRemoved])

  if (used)
    return (
      <p className={styles.used} role="status">
        <input type="hidden" name={CODE} value={used.code} />
        <span>{usedText(used, event)}</span>
        <button
          type="button"
          className="link"
          onClick={() => {
            setRemoved(true)
            setTyped('')
            setOpen(true)
            props.onUse(null)
          }}
        >
          {texts.removeCode()}
        </button>
      </p>
    )
  const applyTyped = () => {
    const text = place.current?.querySelector('input')?.value.trim() ?? ''
    setRemoved(false)
    if (text !== '' && !isBusy) void apply(text)
  }
  const onKeyDown = (press: KeyboardEvent) => {
    if (press.key !== 'Enter') return
    press.preventDefault()
    applyTyped()
  }
  return (
    <details className={styles.code} open={isOpen}>
      <summary>{isOptional ? texts.haveCode() : texts.needCode()}</summary>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the key is pressed in the field. */}
      <div ref={place} className={styles.line} onKeyDown={onKeyDown}>
        <Field label={texts.code()} name={CODE} autoComplete="off" defaultValue={typed} error={error} />
        <button type="button" className="button light" aria-disabled={isBusy || undefined} onClick={applyTyped}>
          {texts.applyCode()}
        </button>
      </div>
    </details>
  )
}

/** Asks what a code does. Only the answer to the last question counts. */
function useApply(event: Event, { onUse, onWrong }: Pick<CodeFieldProps, 'onUse' | 'onWrong'>) {
  const [isBusy, setBusy] = useState(false)
  const asked = useRef(0)
  const apply = useCallback(
    async (code: string): Promise<void> => {
      const question = ++asked.current
      setBusy(true)
      try {
        const types = await call(visitorTicketTypeApi.getTicketTypes, { eventId: event.id, code }, { isTold: true })
        if (question !== asked.current) return
        const say = sayIn(event.translation?.texts)
        const inWords = ({ name, description, ...type }: TicketType) => ({
          ...type,
          name: say(name),
          description: say(description),
        })
        onUse({ code, types: types.map(inWords) })
        onWrong(undefined)
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        if (question !== asked.current) return
        onUse(null)
        onWrong(error.message)
      } finally {
        if (question === asked.current) setBusy(false)
      }
    },
    [event.id, event.translation, onUse, onWrong],
  )
  return { apply, isBusy }
}

/** When the page is read again, what the code in use does is read again, too. */
function useApplied(
  ticketTypes: readonly TicketType[],
  used: UsedCode | null,
  apply: (code: string) => Promise<void>,
): void {
  const seen = useRef(ticketTypes)
  useEffect(() => {
    if (seen.current === ticketTypes) return
    seen.current = ticketTypes
    if (used) void apply(used.code)
  }, [ticketTypes, used, apply])
}

/** With the prices where there is only one ticket: several say theirs themselves. */
function usedText({ code, types }: UsedCode, { currency }: Event): string {
  const [type] = types
  if (types.length !== 1 || !type || type.codePrice === null) return texts.codeUsed({ code })
  return texts.codeUsedFor({
    code,
    price: formatPrice(type.codePrice, currency),
    usual: formatPrice(type.price, currency),
  })
}
