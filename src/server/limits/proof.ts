import { createChallenge, randomInt, verifySolution } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/sha'
import { Refusal } from '../../contract/errors.ts'
import {
  type Challenge,
  challenge as challengeSchema,
  type Proof,
  proof as proofSchema,
} from '../../contract/proofs.ts'
import { findSecret } from '../records/secret-queries.ts'
import { hashOf } from '../tokens.ts'
import { byNetwork, count, type Limiting, limitTries, type Try } from './limit-tries.ts'
import { networksOf } from './networks.ts'
import { spendProof } from './queries.ts'
import type { RuleName } from './rules.ts'

/** How long a challenge may be solved, in ms, also on a slow phone that was put away meanwhile. */
const VALID_MS = 10 * 60_000
/** Rounds of SHA-256 for one try, and how many tries the first challenges take on average: about ten milliseconds. */
const ROUNDS = 2
const FIRST_TRIES = 1_000
/** Excess over the allowance at which the work is fourfold. It grows with the square, so that a flood pays more and more. */
const EXCESS_STEP = 150
const MOST_TRIES = 4_000_000

interface Asked {
  address: string
  /** The header with a solved challenge; null for none. */
  proof: string | null
  /** How many tries it stands for. */
  times?: number
  /** Other tries to count; a proof does not lift their limits. */
  others: readonly Try[]
}

/**
 * Counts a try by network. Beyond the allowance it refuses with PROOF_NEEDED and a challenge to solve, unless it came with a
 * challenge solved: each solution counts once, only from the network that was asked for it, and for as many people. Their work adds up.
 */
export async function limitOrProve(
  server: Limiting,
  rule: RuleName,
  { address, proof, times = 1, others }: Asked,
): Promise<void> {
  if (!server.settings.limits) return
  if (proof !== null && (await isProven(server, address, proof, times))) return limitTries(server, others)
  const counted = await count(
    server.db,
    server.now(),
    byNetwork(rule, address).map((each) => ({ ...each, times })),
  )
  const [first] = counted.filter(({ excess }) => excess > 0).sort((a, b) => b.excess - a.excess)
  // A request repeated with its proof is the same try: the others are counted only once it gets through.
  if (!first) return limitTries(server, others)
  const challenge = await newChallenge(server, { address, excess: first.excess, people: times })
  throw new Refusal('PROOF_NEEDED', { retryAfter: first.retryAfter, payload: { challenge } })
}

/** How many tries a challenge takes on average, by how far the allowance is exceeded. */
export function triesFor(excess: number): number {
  return Math.min(MOST_TRIES, Math.round(FIRST_TRIES * (1 + excess / EXCESS_STEP) ** 2))
}

async function newChallenge(
  { db, now }: Limiting,
  { address, excess, people }: { address: string; excess: number; people: number },
): Promise<Challenge> {
  const tries = Math.min(MOST_TRIES, triesFor(excess) * people)
  const made = await createChallenge({
    algorithm: 'SHA-256',
    cost: ROUNDS,
    // The solution is chosen here, so that the work has an upper limit and nobody is unlucky.
    counter: randomInt(Math.round(tries * 1.5), Math.round(tries * 0.5)),
    deriveKey,
    hmacSignatureSecret: await findSecret(db, 'proof of work'),
    data: { until: now().getTime() + VALID_MS, network: networkHash(address), people },
  })
  return challengeSchema.parse(made)
}

async function isProven({ db, now }: Limiting, address: string, header: string, times: number): Promise<boolean> {
  const proof = readProof(header)
  if (!proof) return false
  const { until, network, people } = proof.challenge.parameters.data
  const time = now().getTime()
  // By our clock, not the library's; a challenge that is valid for longer than ours was made before a clock was set back.
  if (until <= time || until > time + VALID_MS || network !== networkHash(address) || people < times) return false
  const { verified } = await verifySolution({
    ...proof,
    deriveKey,
    hmacSignatureSecret: await findSecret(db, 'proof of work'),
  })
  return verified && spendProof(db, proof.challenge.signature, new Date(until))
}

function readProof(header: string): Proof | null {
  try {
    const result = proofSchema.safeParse(JSON.parse(Buffer.from(header, 'base64').toString('utf8')))
    return result.success ? result.data : null
  } catch {
    return null
  }
}

function networkHash(address: string): string {
  return hashOf(networksOf(address)[0]?.name ?? address)
}
