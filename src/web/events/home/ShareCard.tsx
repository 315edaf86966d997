import type { CSSProperties } from 'react'
import type { Event } from '../../../contract/event.ts'
import { eventApi } from '../../../contract/events.ts'
import { paperColours } from '../../../contract/values/colours.ts'
import * as texts from '../../../texts/generated/overview.ts'
import { download } from '../../api/download.ts'
import * as paths from '../../paths.ts'
import { baseUrl } from '../../site.ts'
import { QrCode } from '../../ui/codes/QrCode.tsx'
import { contactLink } from '../../ui/contact-link.ts'
import { copyText } from '../../ui/copy-text.ts'
import styles from './ShareCard.module.css'

/** The address of the event's page, to copy and share, and its poster. */
export function ShareCard({ event, colour }: { event: Event; colour: string }) {
  const url = baseUrl() + paths.event(event)
  const { ground, ink } = paperColours(colour)
  const paper: CSSProperties & { '--ground': string; '--ink': string } = { '--ground': ground, '--ink': ink }
  return (
    <section className="card" aria-labelledby="share">
      <h2 id="share">{texts.shareIt()}</h2>
      <div className={styles.link}>
        <code>{url}</code>
        <button type="button" className="button small light" onClick={() => void copyText(url)}>
          {texts.copy()}
        </button>
      </div>
      <div className={styles.poster}>
        {/* As the poster shows it, from which it can be scanned too. */}
        <div className={styles.sheet} style={paper} aria-hidden="true">
          <p>{event.name}</p>
          <QrCode text={url} label="" />
          <p>{texts.scanAndRegister()}</p>
        </div>
        <div className={styles.ways}>
          <a
            className="button small light"
            href={contactLink('', `${event.name}: ${url}`)}
            target="_blank"
            rel="noopener noreferrer"
          >
            {texts.shareOnWhatsapp()}
          </a>
          {(['A4', 'A3'] as const).map((size) => (
            <button
              key={size}
              type="button"
              className="button small light"
              // A refusal has been shown by the download itself.
              onClick={() => void download(eventApi.getPoster, { eventId: event.id, size }).catch(() => {})}
            >
              {texts.poster({ size })}
            </button>
          ))}
        </div>
      </div>
    </section>
  )
}
