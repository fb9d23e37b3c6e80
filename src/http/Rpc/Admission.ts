import { HttpApi } from "@effect/platform"
import { type RpcMessage } from "@effect/rpc"
import { Effect, Either, ParseResult, Predicate, Schema } from "effect"
import { contentFormats } from "../../domain/Content.ts"
import { InternalError, InvalidParameters, RateLimitExceeded } from "../../domain/Failure.ts"
import { searchKinds } from "../../domain/SearchKind.ts"
import { type Caller } from "../../services/rate-limiter/Caller.ts"
import { type Search } from "../../services/search/Search.ts"
import { Api } from "../Api.ts"
import { bodyProblems, furtherProblems, queryProblems } from "../Problems.ts"
import { Procedures } from "../Rpc.ts"
import { type Route, routes } from "../Routes.ts"
import { type Request } from "./RpcMessages.ts"

/** REST endpoints by name. A procedure has the budget and the rules of the endpoint that it is named after. */
const endpoints: ReadonlyMap<string, Route> = (() => {
  const found = new Map<string, Route>()
  HttpApi.reflect(Api, {
    onGroup: () => undefined,
    onEndpoint: ({ endpoint }) => {
      const route = routes.get(endpoint.path)
      if (route !== undefined) found.set(endpoint.name, route)
    }
  })
  return found
})()

const endpointOf = (procedure: string) => endpoints.get(procedure === "searchAll" ? "all" : procedure)

const encodeFailure = Schema.encodeSync(Schema.Union(InvalidParameters, RateLimitExceeded, InternalError))

/** Encodes the end of a call with a typed failure. */
export const failed = (
  requestId: string,
  failure: InvalidParameters | RateLimitExceeded | InternalError
): RpcMessage.FromServerEncoded => ({
  _tag: "Exit",
  requestId,
  exit: { _tag: "Failure", cause: { _tag: "Fail", error: encodeFailure(failure) } }
})

const unknown = ({ id, tag }: Request): RpcMessage.FromServerEncoded => ({
  _tag: "Exit",
  requestId: id,
  exit: {
    _tag: "Failure",
    cause: { _tag: "Die", defect: `There is no procedure ${JSON.stringify(tag.slice(0, 100))}.` }
  }
})

type BackendProblems = Search["Type"]["backendProblems"]

/** Converts a payload to the query parameters of the REST endpoint. */
const asQuery = (payload: Readonly<Record<string, unknown>>) => {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(payload)) {
    if (typeof value === "string" || typeof value === "number") query.append(name, String(value))
  }
  return query
}

/** Returns the problems that REST reports for the same input. */
const problemsOf = (
  error: ParseResult.ParseError,
  { payload, tag }: Request,
  endpoint: Route | undefined,
  backendProblems: BackendProblems
) => {
  if (!Predicate.isRecord(payload)) return [{ in: "body" as const, field: "", message: "must be a JSON object" }]
  const issues = ParseResult.ArrayFormatter.formatErrorSync(error)
  if (endpoint === undefined || endpoint.rules.size === 0) return bodyProblems(issues, contentFormats)
  const problems = queryProblems(issues, new URLSearchParams(), endpoint.rules)
  const kind = searchKinds.find((one) => one === tag)
  const more = furtherProblems(asQuery(payload), endpoint.rules, problems, (backend) =>
    kind === undefined ? [] : backendProblems(kind, backend)
  )
  return [...problems, ...more]
}

/**
 * Spends the budget of a call and validates its parameters. Right is a call that may run, left is the failed end of a
 * refused one.
 */
export const check = (
  request: Request,
  caller: Caller["Type"],
  backendProblems: BackendProblems
): Effect.Effect<Either.Either<Request, RpcMessage.FromServerEncoded>> =>
  Effect.gen(function* () {
    const endpoint = endpointOf(request.tag)
    const spent = yield* Effect.either(caller.spend(endpoint?.group ?? "info"))
    if (Either.isLeft(spent)) return Either.left(failed(request.id, spent.left))
    const procedure = Procedures.requests.get(request.tag)
    if (procedure === undefined) return Either.left(unknown(request))
    const schema: Schema.Schema.AnyNoContext = procedure.payloadSchema
    // A payload for a procedure without parameters is ignored.
    if (schema === Schema.Void) return Either.right({ ...request, payload: undefined })
    const read = Schema.decodeUnknownEither(schema, { errors: "all" })(request.payload)
    return Either.isRight(read)
      ? Either.right(request)
      : Either.left(
          failed(
            request.id,
            new InvalidParameters({ problems: problemsOf(read.left, request, endpoint, backendProblems) })
          )
        )
  })
