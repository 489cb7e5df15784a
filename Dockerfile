# docker build -t mobilesim . && docker run --rm -p 8101:8101 mobilesim
# Any options may follow the image's name: docker run --rm -p 8101:8101 mobilesim -m maze.map -r amigo
FROM python:3.13-slim AS build
WORKDIR /source
COPY pyproject.toml hatch_build.py README.md LICENSE ./
COPY mobilesim_py mobilesim_py
COPY maps maps
COPY models models
RUN pip wheel --no-cache-dir --disable-pip-version-check --no-deps --wheel-dir /wheels .
RUN python -m venv /opt/mobilesim && /opt/mobilesim/bin/pip install --no-cache-dir --disable-pip-version-check /wheels/*.whl

FROM python:3.13-slim
RUN useradd --create-home --uid 1000 robot
COPY --from=build /opt/mobilesim /opt/mobilesim
ENV PATH=/opt/mobilesim/bin:$PATH PYTHONUNBUFFERED=1
USER robot
WORKDIR /home/robot
# Compiled here, so that every container has the fast engine from its first second on.
RUN mobilesim warm
EXPOSE 8101 8080
# A robot that has a client refuses others, and is healthy all the same: so look whether the process has its port or a
# client, which "wait" alone could not tell.
HEALTHCHECK --interval=10s --timeout=3s --start-period=5s \
    CMD ["python", "-c", "import sys; rows = [r.split() for r in open('/proc/net/tcp').readlines()[1:]]; sys.exit(not any(r[1].endswith(':1FA5') and r[3] in ('0A', '01') for r in rows))"]
ENTRYPOINT ["MobileSim", "--noninteractive"]
CMD ["-m", "office.map", "-r", "p3dx"]
