import { type KeyboardEvent, type RefObject, useCallback, useEffect, useId, useRef, useState } from 'react'
import { Refusal } from '../../../contract/errors.ts'
import type { Event } from '../../../contract/event.ts'
import { sayIn } from '../../../contract/own-words.ts'
import { type TicketType, visitorTicketTypeApi } from '../../../contract/ticket-type.ts'
import { formatPrice } from '../../../contract/values/money.ts'
import * as texts from '../../../texts/generated/registration.ts'
import { call } from '../../api/call.ts'
import { serverNow } from '../../api/server-time.ts'
import { useRenderedPage } from '../../rendered-page.ts'
import { Field } from '../../ui/forms/Field.tsx'
import { describedBy, FieldNotes } from '../../ui/forms/FieldNotes.tsx'
import { fieldPlace } from '../../ui/forms/field-place.ts'
import { isHelped, whyNotToBeHad } from '../ticket-type/chosen-type.ts'
import { CODE, type UsedCode } from '../typed.ts'
import styles from './CodeField.module.css'

interface CodeFieldProps {
  event: Event
  /** Those that everybody can buy. */
  ticketTypes: readonly TicketType[]
  /** What was typed before; empty for nothing. */
  drafted: string
  /** The code in use, with the ticket types as they are with it; null for none. */
  used: UsedCode | null
  /** Whether it changes nothing for the tickets chosen, so that it will not be sent. */
  isOfNoUse: boolean
  /** Whether there are tickets to be had without one. */
  isOptional: boolean
  error: string | undefined
  onUse: (used: UsedCode | null) => void
  onWrong: (message: string | undefined) => void
  /** Set to what uses the code that is typed. */
  applyTyped: RefObject<() => void>
}

/**
 * Where a visitor types a code, or whose link brings one. While one is in use, it says so instead. Whether it can be used is only decided
 * when the form is sent. Loaded separately, because most events have no codes.
 */
export function CodeField({ event, drafted, used, isOfNoUse, isOptional, error, ...props }: CodeFieldProps) {
  const { address } = useRenderedPage()
  const place = useRef<HTMLDivElement>(null)
  const id = useId()
  const [typed, setTyped] = useState(drafted)
  const [isOpen, setOpen] = useState(false)
  // After what somebody did here, the focus goes on to what is there then.
  const hasActed = useRef(false)
  const { apply: ask, isBusy } = useApply(event, used !== null, props)
  const apply = useCallback(
    (code: string) => {
      setTyped(code)
      setOpen(true)
      void ask(code, false)
    },
    [ask],
  )
  useApplied(props.ticketTypes, used, ask)
  useFirstCode(address, drafted, apply)
  useEffect(() => {
    if (!hasActed.current || isBusy) return
    hasActed.current = false
    place.current?.querySelector<HTMLElement>(used ? 'button' : 'input')?.focus()
  }, [used, isBusy])

  const remove = () => {
    hasActed.current = true
    setTyped('')
    setOpen(true)
    props.onUse(null)
    props.onWrong(undefined)
    forgetLinkedCode()
  }
  const applyTyped = () => {
    const text = place.current?.querySelector('input')?.value.trim() ?? ''
    if (text === '' || isBusy) return
    hasActed.current = true
    apply(text)
  }
  useEffect(() => {
    props.applyTyped.current = applyTyped
  })
  const onKeyDown = (press: KeyboardEvent) => {
    if (press.key !== 'Enter') return
    press.preventDefault()
    applyTyped()
  }
  const said = used && usedText(used, event, isOfNoUse)
  return (
    <div ref={place} className={styles.code}>
      {used ? (
        <div id={fieldPlace(CODE)}>
          <p className={styles.used}>
            <input type="hidden" name={CODE} value={used.code} />
            <span aria-hidden="true">{said}</span>
            <button
              type="button"
              className="link"
              data-name={CODE}
              aria-describedby={describedBy(id, undefined, error)}
              onClick={remove}
            >
              {texts.removeCode()}
            </button>
          </p>
          <FieldNotes id={id} help={undefined} error={error} />
        </div>
      ) : (
        <details open={isOpen || !isOptional || error !== undefined}>
          <summary className="folds">{isOptional ? texts.haveCode() : texts.needCode()}</summary>
          {/* biome-ignore lint/a11y/noStaticElementInteractions: the key is pressed in the field. */}
          <div className={styles.line} onKeyDown={onKeyDown}>
            <Field label={texts.code()} name={CODE} autoComplete="off" defaultValue={typed} error={error} />
            <button type="button" className="button light" aria-disabled={isBusy || undefined} onClick={applyTyped}>
              {texts.applyCode()}
            </button>
          </div>
        </details>
      )}
      {/* Always in the page, so that screen readers announce its changes. */}
      <p className={styles.said} role="status">
        {said}
      </p>
    </div>
  )
}

/** So that a code that was removed does not come back with the next reload. */
function forgetLinkedCode(): void {
  const url = new URL(window.location.href)
  if (!url.searchParams.has(CODE)) return
  url.searchParams.delete(CODE)
  window.history.replaceState(window.history.state, '', url)
}

/** Uses the code of the page's address, or the one that was typed before, once the page runs: the server renders neither. */
function useFirstCode(address: string, drafted: string, apply: (code: string) => void): void {
  const first = useRef<string | null>(drafted)
  useEffect(() => {
    if (first.current === null) return
    const code = new URL(address, 'http://here').searchParams.get(CODE)?.trim() || first.current
    first.current = null
    if (code !== '') apply(code)
  }, [address, apply])
}

/** Asks what a code does. Only the answer to the last question counts. Reading the code in use again keeps its error. */
function useApply(event: Event, isUsed: boolean, { onUse, onWrong }: Pick<CodeFieldProps, 'onUse' | 'onWrong'>) {
  const [isBusy, setBusy] = useState(false)
  const asked = useRef(0)
  const inUse = useRef(isUsed)
  inUse.current = isUsed
  const apply = useCallback(
    async (code: string, isReadAgain: boolean): Promise<void> => {
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
        if (!isReadAgain) onWrong(undefined)
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        if (question !== asked.current) return
        // One that is in use stays so, unless the server says that it cannot be.
        if (inUse.current && error.code !== 'CODE_NOT_VALID') return
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
  ask: (code: string, isReadAgain: boolean) => Promise<void>,
): void {
  const seen = useRef(ticketTypes)
  useEffect(() => {
    if (seen.current === ticketTypes) return
    seen.current = ticketTypes
    if (used) void ask(used.code, true)
  }, [ticketTypes, used, ask])
}

/** What a code does: the price where there is only one ticket, and which tickets it is for where it is not for all. */
function usedText({ code, types }: UsedCode, { currency }: Event, isOfNoUse: boolean): string {
  const [type] = types
  if (types.length === 1 && type && type.codePrice !== null)
    return texts.codeUsedFor({
      code,
      price: formatPrice(type.codePrice, currency),
      usual: formatPrice(type.price, currency),
    })
  const helped = types.filter(isHelped)
  if (helped.length === types.length) return texts.codeUsed({ code })
  // Those that can be had, if there are any.
  const toBeHad = helped.filter((each) => whyNotToBeHad(each, serverNow()) === null)
  const named = toBeHad.length > 0 ? toBeHad : helped
  const tickets = named.map(({ name }) => name).join(', ')
  return isOfNoUse ? texts.codeForOthers({ code, tickets }) : texts.codeForTickets({ code, tickets })
}
