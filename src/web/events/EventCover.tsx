import type { Event } from '../../contract/event.ts'
import { coverUrl } from '../../contract/values/covers.ts'
import { imageUrl } from '../../contract/values/images.ts'

interface Props {
  event: Pick<Event, 'name' | 'banner' | 'bannerRatio'>
  /** The club's colour; empty for none. */
  colour: string
  className: string | undefined
  /** How wide it is shown, for the browser's choice of a size. */
  sizes: string
  isFirst?: boolean
}

/** An event's banner; without one a cover that is drawn from its name. */
export function EventCover({ event: { name, banner, bannerRatio }, colour, className, sizes, isFirst = false }: Props) {
  const order = isFirst ? ({ fetchPriority: 'high' } as const) : ({ loading: 'lazy' } as const)
  if (banner === '')
    return <img className={className} src={coverUrl(name, colour)} alt="" width="1600" height="900" {...order} />
  const [small, large] = [imageUrl('event-banner', banner, 800), imageUrl('event-banner', banner)]
  // The browser keeps the room that the picture will take, so that nothing moves when it has loaded.
  const shape = bannerRatio === null ? null : { width: 1600, height: Math.round(1600 / bannerRatio) }
  return (
    <img
      className={className}
      src={large}
      srcSet={`${small} 800w, ${large} 1600w`}
      sizes={sizes}
      alt=""
      {...shape}
      {...order}
    />
  )
}
