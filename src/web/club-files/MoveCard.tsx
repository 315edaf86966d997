import { Button } from '@mantine/core'
import { Link } from 'react-router'
import * as texts from '../../texts/generated/clubFiles.ts'
import * as paths from '../paths.ts'

/** In the settings of a club, the way to its file. */
export function MoveCard() {
  return (
    <section className="card" aria-labelledby="move-club">
      <h2 id="move-club">{texts.title()}</h2>
      <p className="muted">{texts.cardText()}</p>
      <Button variant="light" component={Link} to={paths.moveClub} w={{ base: '100%', sm: 'fit-content' }}>
        {texts.open()}
      </Button>
    </section>
  )
}
