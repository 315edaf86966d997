import { Button } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import { useState } from 'react'
import type { Payload } from '../../contract/endpoint.ts'
import { platformApi } from '../../contract/platform.ts'
import * as operatorTexts from '../../texts/generated/operator.ts'
import * as texts from '../../texts/generated/platform.ts'
import { formatList } from '../../texts/numbers.ts'
import { useCall } from '../api/query.ts'
import { formatBytes } from './format-bytes.ts'
import { momentHere } from './moment-here.ts'
import styles from './PlatformPage.module.css'

interface Props {
  status: Payload<typeof platformApi.getStatus>
  health: Payload<typeof platformApi.getHealth>
}

interface Check {
  key: string
  isGood: boolean
  text: string
}

/** Below this much free space, in bytes, and this part of the disk, it is said to be nearly full. */
const LEAST_FREE = 1_000_000_000
const LEAST_PART = 0.05

/** What has to be set up before clubs use the platform, and whether it still is. */
export function CheckList({ status, health }: Props) {
  return (
    <section className="card" aria-labelledby="checks">
      <h2 id="checks">{texts.checks()}</h2>
      <ul className={styles.checks}>
        {checksOf(status, health).map(({ key, isGood, text }) => (
          <li key={key} data-good={isGood || undefined}>
            {isGood ? (
              <IconCircleCheck role="img" aria-label={texts.isGood()} />
            ) : (
              <IconAlertTriangle role="img" aria-label={texts.isNot()} />
            )}
            <span>{text}</span>
          </li>
        ))}
      </ul>
      <TestMail isSent={status.mail.isSent} />
    </section>
  )
}

function checksOf({ baseUrl, mail, disk, server }: Props['status'], { backup, mail: queue }: Props['health']): Check[] {
  const { protocol, origin } = new URL(baseUrl)
  const here = window.location.origin
  const isSecure = protocol === 'https:'
  const isFull = disk !== null && disk.free < Math.max(LEAST_FREE, disk.total * LEAST_PART)
  return [
    {
      key: 'address',
      isGood: origin === here,
      text: origin === here ? texts.addressGood({ url: baseUrl }) : texts.addressWrong({ url: baseUrl, here }),
    },
    { key: 'https', isGood: isSecure, text: isSecure ? texts.httpsGood() : texts.httpsMissing() },
    {
      key: 'mail',
      isGood: mail.isSent && queue.paused === null,
      text: !mail.isSent ? texts.mailMissing() : queue.paused ? texts.mailPaused() : texts.mailGood(),
    },
    { key: 'backup', ...backupCheck(backup) },
    ...(isFull ? [{ key: 'disk', isGood: false, text: texts.diskFull({ free: formatBytes(disk.free) }) }] : []),
    ...(server.stuck.length > 0
      ? [{ key: 'stuck', isGood: false, text: texts.stuck({ names: formatList(server.stuck) }) }]
      : []),
  ]
}

function backupCheck({ isOn, isLate, lastGoodAt, error }: Props['health']['backup']): Omit<Check, 'key'> {
  if (!isOn) return { isGood: false, text: operatorTexts.backupsOff() }
  if (error !== null) return { isGood: false, text: texts.backupFailed({ reason: error }) }
  if (isLate) return { isGood: false, text: operatorTexts.backupLate() }
  return {
    isGood: lastGoodAt !== null,
    text: lastGoodAt ? texts.backupGood({ moment: momentHere(lastGoodAt) }) : operatorTexts.backupFirst(),
  }
}

/** Sends a mail to the operator, and says what came of it. */
function TestMail({ isSent }: { isSent: boolean }) {
  const [result, setResult] = useState<Payload<typeof platformApi.sendTestMail> | null>(null)
  const send = useCall(platformApi.sendTestMail)
  return (
    <div className={styles.test}>
      <Button
        variant="light"
        loading={send.isPending}
        onClick={() => {
          setResult(null)
          send.mutate({}, { onSuccess: setResult })
        }}
      >
        {texts.sendTestMail()}
      </Button>
      <div role="status">
        {result &&
          (result.failure === null ? (
            <p>{isSent ? texts.testSent({ to: result.to }) : texts.testWritten()}</p>
          ) : (
            <>
              <p className="problem">{texts.testFailed()}</p>
              <code className={styles.reason}>{result.failure}</code>
            </>
          ))}
      </div>
    </div>
  )
}
