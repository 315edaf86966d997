import { MutationObserver, QueryObserver } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { makeQueryClient } from './query-client.ts'

test('what is read for the first time during a write is read again', async () => {
  const client = makeQueryClient()
  const answers: ((text: string) => void)[] = []
  const observer = new QueryObserver(client, {
    queryKey: ['history'],
    queryFn: () => new Promise<string>((answer) => answers.push(answer)),
  })
  const seen: (string | undefined)[] = []
  const end = observer.subscribe(({ data }) => seen.push(data))
  await new MutationObserver(client, { mutationFn: async () => 'saved' }).mutate()
  answers[0]?.('from before the write')
  await expect.poll(() => answers.length).toBe(2)
  answers[1]?.('from after it')
  await expect.poll(() => seen.at(-1)).toBe('from after it')
  end()
  client.clear()
})
