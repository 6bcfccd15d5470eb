# The current Node LTS. Two stages: packages are installed with what building them may need, and run without it.
FROM node:24-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev

FROM node:24-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 PRICETAPE_DATA_DIR=/data
WORKDIR /app
COPY --from=packages /app/node_modules ./node_modules
COPY package.json tsconfig.json ./
COPY bin ./bin
COPY sources ./sources
COPY src ./src
COPY activities ./activities
COPY workflows ./workflows
RUN mkdir /data && chown node:node /data
USER node
EXPOSE 8080
STOPSIGNAL SIGTERM
ENTRYPOINT ["node", "--import", "tsx", "src/main.ts"]
CMD ["--role", "all"]
