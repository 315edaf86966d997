import { Button } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { apiTokenApi } from '../../contract/api-tokens.ts'
import * as texts from '../../texts/generated/apiTokens.ts'
import * as userTexts from '../../texts/generated/users.ts'
import { query } from '../api/query.ts'
import * as paths from '../paths.ts'
import { Parts } from '../ui/Parts.tsx'
import { NewTokenDialog } from './NewTokenDialog.tsx'
import { TokenRow } from './TokenRow.tsx'
import styles from './TokensPage.module.css'

/** One's own API tokens, with which programs act for oneself. */
export function TokensPage() {
  const { data } = useSuspenseQuery(query(apiTokenApi.getTokens, {}))
  const [isAdding, setAdding] = useState(false)
  const { tokens, permissions } = data
  return (
    <div className="page narrow">
      <div className="row spread">
        <div className={styles.head}>
          <h1>{texts.title()}</h1>
          <p className="muted">
            <Link to={paths.profile}>{userTexts.yourProfile()}</Link>
          </p>
        </div>
        {permissions.length > 0 && (
          <Button leftSection={<IconKey size={18} aria-hidden />} onClick={() => setAdding(true)}>
            {texts.makeToken()}
          </Button>
        )}
      </div>
      <p>
        <Parts of={texts.intro({ link: (text) => <a href="/api/docs">{text}</a> })} />
      </p>
      <section className="card">
        {permissions.length === 0 ? (
          <p>{texts.noneForRole()}</p>
        ) : tokens.length === 0 ? (
          <p className="muted">{texts.noTokens()}</p>
        ) : (
          <ul className={styles.tokens}>
            {tokens.map((token) => (
              <TokenRow key={token.id} token={token} />
            ))}
          </ul>
        )}
      </section>
      {isAdding && <NewTokenDialog permissions={permissions} onClose={() => setAdding(false)} />}
    </div>
  )
}
